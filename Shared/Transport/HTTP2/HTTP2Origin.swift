/// The server of an ``HTTP2Client``: `https://host` or `https://host:port`.
struct HTTP2Origin: Sendable {
  /// As it was given.
  let text: String
  /// Host and, if given, port.
  let authority: String
  /// A name, or an address without brackets.
  let host: String
  let port: Int

  init?(_ text: String) {
    guard text.lowercased().hasPrefix("https://") else { return nil }
    let authority = text.dropFirst("https://".count)
    guard !authority.isEmpty, authority.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"/?#@\\".utf8.contains($0) })
    else { return nil }
    let portStart = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
    guard let port = portStart.map({ Int(authority[authority.index(after: $0)...]) }) ?? 443,
      (1...65_535).contains(port)
    else { return nil }
    let host = authority[..<(portStart ?? authority.endIndex)]
    guard !host.isEmpty else { return nil }
    self.text = text
    self.authority = String(authority)
    self.port = port
    self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
  }

  /// Path and query of an address at this server, `/` if it has none; nil for an address elsewhere.
  func path(of url: String) -> Substring? {
    // Bytes, for every request comes here, and characters take a look at each.
    guard url.hasPrefix(text) else { return nil }
    let path = url.utf8.dropFirst(text.utf8.count)
    guard let first = path.first else { return "/" }
    return first == UInt8(ascii: "/") ? Substring(path) : nil
  }

  /// For libcurl, which is to connect and no more.
  var connectURL: String { host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)" }
}
