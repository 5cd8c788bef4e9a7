public import Retrying

/// What is asked of the domain name system.
public enum DNSQuestion: UInt16, Sendable, Hashable {
  case a = 1, ptr = 12, mx = 15, txt = 16, aaaa = 28
}

/// What a name has.
public enum DNSRecord: Sendable, Hashable {
  case address(IPAddress)
  /// The host that takes a domain's mails; an empty name: it wants none (RFC 7505).
  case mail(preference: UInt16, host: String)
  /// Its strings, joined without anything between them (RFC 7208, section 3.3; RFC 6376, section 3.6.2.2).
  case text(String)
  /// The name of an address.
  case name(String)

  public var address: IPAddress? {
    guard case .address(let address) = self else { return nil }
    return address
  }

  public var mailHost: String? {
    guard case .mail(_, let host) = self else { return nil }
    return host
  }

  public var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  public var name: String? {
    guard case .name(let name) = self else { return nil }
    return name
  }
}

/// Why a question has no answer. That a name is not there, or has no such record, is an answer: none.
public enum DNSError: TransienceReporting, Sendable, Hashable, CustomStringConvertible {
  case timeout
  /// No server could be asked.
  case unreachable
  /// The server's code (RFC 1035, section 4.1.1), e.g. 2: it could not find out.
  case refused(code: Int)
  /// The server's answer does not follow its protocol.
  case malformed
  /// The question's name is none.
  case badName

  public var isTransient: Bool {
    switch self {
    // 2: SERVFAIL.
    case .timeout, .unreachable, .refused(code: 2): true
    case .refused, .malformed, .badName: false
    }
  }

  public var hasTimedOut: Bool { self == .timeout }

  public var isCancelled: Bool { false }

  public var description: String {
    switch self {
    case .timeout: "the name server did not answer in time"
    case .unreachable: "the name server cannot be reached"
    case .refused(code: 2): "the name server could not find out (SERVFAIL)"
    case .refused(let code): "the name server refuses (code \(code))"
    case .malformed: "the name server's answer is malformed"
    case .badName: "this is no domain's name"
    }
  }
}

/// Answers questions about names.
public protocol DNSResolving: Sendable {
  /// The records, aliases followed; empty where there are none.
  func records(_ question: DNSQuestion, of name: String) async throws(DNSError) -> [DNSRecord]
}
