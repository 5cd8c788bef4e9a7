import Transport

/// What a domain's SPF record says of an address that mails come from.
///
/// Source: RFC 7208, sections 4 and 5. Macros are not expanded: a record whose answer depends on one is `unknown`.
struct SPFEvaluation {
  enum Outcome: Sendable, Equatable {
    case pass, fail, softFail, neutral
    /// There is no record.
    case absent
  }

  enum Failure: Error, Equatable, CustomStringConvertible {
    /// Receivers treat the record as broken.
    case permanent(String)
    case temporary(DNSError)
    case unknown(term: String)

    var description: String {
      switch self {
      case .permanent(let reason): reason
      case .temporary(let error): error.description
      case .unknown(let term): "'\(term)' has macros, which are not followed here"
      }
    }
  }

  let names: any DNSResolving
  let address: IPAddress
  /// Of all records together; ten are the most that receivers follow.
  private(set) var lookups = 0
  private var voids = 0

  init(of address: IPAddress, asking names: any DNSResolving) {
    self.names = names
    self.address = address
  }

  mutating func outcome(of domain: String) async throws(Failure) -> Outcome {
    guard let record = try await record(of: domain) else { return .absent }
    var redirection: String?
    for term in record.split(separator: " ").dropFirst() {
      if let modifier = Self.modifier(term) {
        guard modifier.name == "redirect" else { continue }
        if redirection != nil { throw .permanent("\(domain) has redirect= twice") }
        redirection = modifier.value
        continue
      }
      let mechanism = try Mechanism(term, of: domain)
      if try await matches(mechanism) { return mechanism.outcome }
    }
    guard let redirection else { return .neutral }
    if redirection.contains("%") { throw .unknown(term: "redirect=\(redirection)") }
    try count("redirect=\(redirection)")
    let outcome = try await outcome(of: redirection)
    if outcome == .absent { throw .permanent("\(redirection), to which \(domain) redirects, has no SPF record") }
    return outcome
  }

  private mutating func record(of domain: String) async throws(Failure) -> String? {
    let found = try await ask(.txt, domain).compactMap(\.text).filter {
      let text = $0.lowercased()
      return text == "v=spf1" || text.hasPrefix("v=spf1 ")
    }
    if found.count > 1 { throw .permanent("\(domain) has \(found.count) SPF records, and must have one") }
    return found.first
  }

  private mutating func matches(_ mechanism: Mechanism) async throws(Failure) -> Bool {
    let target = mechanism.target
    switch mechanism.kind {
    case .all: return true
    case .ip(let network, let length): return address.isIn(network, prefix: length)
    case .include:
      try count(mechanism.term)
      switch try await outcome(of: target) {
      case .pass: return true
      case .fail, .softFail, .neutral: return false
      case .absent: throw .permanent("\(target), which \(mechanism.domain) includes, has no SPF record")
      }
    case .a:
      try count(mechanism.term)
      return try await hasAddress(target, mechanism)
    case .mx:
      try count(mechanism.term)
      let hosts = try await askOnce(.mx, target).compactMap(\.mailHost)
      if hosts.count > 10 { throw .permanent("\(target) has more than 10 MX records") }
      for host in hosts where !host.isEmpty {
        if try await hasAddress(host, mechanism) { return true }
      }
      return false
    case .exists:
      try count(mechanism.term)
      return try await askOnce(.a, target).isEmpty == false
    case .ptr:
      // RFC 7208, section 5.5: not to be used, and many do not follow it.
      try count(mechanism.term)
      return false
    }
  }

  private mutating func hasAddress(_ host: String, _ mechanism: Mechanism) async throws(Failure) -> Bool {
    let length = address.isIPv4 ? mechanism.prefix4 : mechanism.prefix6
    let found = try await askOnce(address.isIPv4 ? .a : .aaaa, host).compactMap(\.address)
    return found.contains { address.isIn($0, prefix: length) }
  }

  private mutating func count(_ term: String) throws(Failure) {
    lookups += 1
    if lookups > 10 {
      throw .permanent("more than 10 look-ups are needed, the 11th for '\(term)': receivers stop there")
    }
  }

  /// A question whose answer may be empty twice at most (section 4.6.4).
  private mutating func askOnce(_ question: DNSQuestion, _ name: String) async throws(Failure) -> [DNSRecord] {
    let records = try await ask(question, name)
    if records.isEmpty { voids += 1 }
    if voids > 2 { throw .permanent("more than 2 look-ups find nothing, the last for \(name)") }
    return records
  }

  private func ask(_ question: DNSQuestion, _ name: String) async throws(Failure) -> [DNSRecord] {
    do throws(DNSError) {
      return try await names.records(question, of: name)
    } catch .badName {
      return []
    } catch {
      throw .temporary(error)
    }
  }

  /// `name=value`, where the text is no mechanism.
  private static func modifier(_ term: Substring) -> (name: String, value: String)? {
    guard let equals = term.firstIndex(of: "="), !term[..<equals].contains(where: { $0 == ":" || $0 == "/" }) else {
      return nil
    }
    return (term[..<equals].lowercased(), String(term[term.index(after: equals)...]))
  }
}
