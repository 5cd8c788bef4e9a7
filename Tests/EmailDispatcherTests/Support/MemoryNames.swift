import Transport

/// Answers by what it is told, as `DNSClient` does by a server (`TransportTests.DNSClientTests`).
struct MemoryNames: DNSResolving, ExpressibleByDictionaryLiteral {
  private var known: [String: [DNSRecord]]
  /// Names about which the server cannot find out anything.
  var failing: Set<String> = []

  init(dictionaryLiteral elements: (String, [DNSRecord])...) {
    known = Dictionary(uniqueKeysWithValues: elements)
  }

  subscript(_ name: String) -> [DNSRecord]? {
    get { known[name] }
    set { known[name] = newValue }
  }

  func records(_ question: DNSQuestion, of name: String) async throws(DNSError) -> [DNSRecord] {
    if failing.contains(name) { throw .refused(code: 2) }
    return (known[name] ?? []).filter { record in
      switch record {
      case .address(let address): question == (address.isIPv4 ? .a : .aaaa)
      case .mail: question == .mx
      case .text: question == .txt
      case .name: question == .ptr
      }
    }
  }
}

extension DNSRecord {
  static func ip(_ text: String) -> DNSRecord {
    guard let address = IPAddress(text) else { fatalError("no address: \(text)") }
    return .address(address)
  }
}
