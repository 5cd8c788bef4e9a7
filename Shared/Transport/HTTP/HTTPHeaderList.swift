import CCurl

/// The header fields of a request in libcurl's form.
final class HTTPHeaderList {
  let list: UnsafeMutablePointer<curl_slist>?

  init(_ fields: [(name: String, value: String)]) {
    let names = Set(fields.map { $0.name.lowercased() })
    // `Name:` leaves out a field that libcurl would add, `Name;` is one without a value.
    let unwanted = ["Accept", "Content-Type", "Expect"].filter { !names.contains($0.lowercased()) }
    let lines =
      unwanted.map { "\($0):" }
      + fields.map { name, value in
        value.allSatisfy { $0 == " " || $0 == "\t" } ? "\(name);" : "\(name): \(value)"
      }
    // libcurl answers nil when out of memory, where Swift itself would have stopped.
    list = lines.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
  }

  deinit {
    curl_slist_free_all(list)
  }
}
