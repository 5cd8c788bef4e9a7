import CNGHTTP2

/// The header of a request in nghttp2's form, shared by all requests that differ in their bodies only. One with headers of its
/// own is for that request alone.
final class HTTP2Fields {
  /// As the caller gave them.
  private let method: String
  private let url: String
  private let fields: [(name: String, value: String)]

  private let text: UnsafeMutableBufferPointer<UInt8>
  private let pairs: UnsafeMutableBufferPointer<nghttp2_nv>
  /// Where the digits of `content-length` stand, in the last pair.
  private let length: UnsafeMutableBufferPointer<UInt8>

  /// Fails on a name or value that HTTP does not allow, naming the header.
  init(of request: HTTPRequest, to origin: HTTP2Origin) throws(TransportError) {
    let (method, fields) = (request.method, request.headers)
    guard let path = origin.path(of: request.url).map(String.init) else { throw .invalid("url") }
    guard !method.isEmpty, method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) else {
      throw .invalid("method")
    }
    guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw .invalid("url") }
    try HTTPFieldRules.check(fields)
    try HTTPFieldRules.check(request.ownHeaders)
    self.method = method
    url = request.url
    self.fields = fields
    var all = [(":method", method), (":scheme", "https"), (":authority", origin.authority), (":path", path)]
    // HTTP/2 has names in lower case only (RFC 9113, section 8.2).
    all += fields.map { ($0.name.lowercased(), $0.value) }
    let shared = all.count
    all += request.ownHeaders.map { ($0.name.lowercased(), $0.value) }
    let digits = 20
    let name = "content-length"
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(
      capacity: all.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count } + name.utf8.count + digits
    )
    let pairs = UnsafeMutableBufferPointer<nghttp2_nv>.allocate(capacity: all.count + 1)
    var end = 0
    func place(_ string: String) -> UnsafeMutableBufferPointer<UInt8> {
      let start = end
      for byte in string.utf8 {
        text[end] = byte
        end += 1
      }
      return UnsafeMutableBufferPointer(rebasing: text[start..<end])
    }
    func pair(
      _ name: UnsafeMutableBufferPointer<UInt8>,
      _ value: UnsafeMutableBufferPointer<UInt8>,
      isIndexed: Bool = true
    ) -> nghttp2_nv {
      nghttp2_nv(
        name: name.baseAddress,
        value: value.baseAddress,
        namelen: name.count,
        valuelen: value.count,
        flags: UInt8((isIndexed ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX).rawValue)
      )
    }
    for (index, field) in all.enumerated() {
      pairs[index] = pair(place(field.0), place(field.1), isIndexed: index < shared)
    }
    let lengthName = place(name)
    let length = UnsafeMutableBufferPointer(rebasing: text[end..<end + digits])
    pairs[all.count] = pair(lengthName, length)
    self.text = text
    self.pairs = pairs
    self.length = length
  }

  deinit {
    text.deallocate()
    pairs.deallocate()
  }

  /// Whether the request differs in its body only from the one that these were made for.
  func belong(to request: HTTPRequest) -> Bool {
    guard method == request.method, url == request.url, fields.count == request.headers.count else { return false }
    return fields.indices.allSatisfy { fields[$0] == request.headers[$0] }
  }

  /// The pairs with the length of this request's body; without one for an empty body.
  func pairs(contentLength: Int) -> UnsafeMutableBufferPointer<nghttp2_nv> {
    guard contentLength > 0 else { return UnsafeMutableBufferPointer(rebasing: pairs[..<(pairs.count - 1)]) }
    var count = 0
    for digit in String(contentLength).utf8 {
      length[count] = digit
      count += 1
    }
    pairs[pairs.count - 1].valuelen = count
    return pairs
  }
}
