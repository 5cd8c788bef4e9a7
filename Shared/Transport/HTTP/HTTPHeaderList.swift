import CCurl

/// Request headers in libcurl's form, shared by all handles whose requests carry the same ones.
final class HTTPHeaderList {
  let list: UnsafeMutablePointer<curl_slist>?
  private let fields: [(name: String, value: String)]

  /// Fails on a name or value that HTTP does not allow, naming the header.
  init(_ fields: [(name: String, value: String)]) throws(TransportError) {
    try HTTPFieldRules.check(fields)
    self.fields = fields
    // Without the first two libcurl adds fields of its own; "name;" is its way to write an empty value.
    var lines = ["Expect:"]
    if !fields.contains(where: { $0.name.lowercased() == "content-type" }) { lines.append("Content-Type:") }
    lines += fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    list = CurlStringList.make(lines)
  }

  deinit {
    curl_slist_free_all(list)
  }

  func holds(_ other: [(name: String, value: String)]) -> Bool {
    guard fields.count == other.count else { return false }
    for (mine, theirs) in zip(fields, other) where mine != theirs { return false }
    return true
  }
}
