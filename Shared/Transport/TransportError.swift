public import Retrying

/// Why a request or a message got no answer from its server.
///
/// `description` names no host, header, body or secret. `debugDescription` adds what the library said.
public struct TransportError: TransienceReporting, Sendable {
  /// What went wrong.
  public enum Code: Sendable, Hashable {
    /// The request's time ran out, waiting for a free connection included.
    case timeout
    /// No connection: unknown host, refused, or the server turned us away before the first request.
    case cannotConnect
    /// The server's name leads to addresses in private networks alone, and to those nothing is sent.
    case addressNotPublic
    /// The TLS handshake failed, or the server's certificate was not accepted.
    case tls
    /// The connection or stream ended before the answer was complete.
    case connectionLost
    /// The calling task was cancelled.
    case cancelled
    /// As many requests as the configuration allows are waiting already.
    case overloaded
    /// The client has been closed.
    case closed
    /// The answer is larger than the configuration allows.
    case tooLarge
    /// The SMTP server did not accept the user name and password.
    case authenticationFailed
    /// The server's answer does not follow its protocol.
    case badResponse
    /// The request itself is wrong; the text names the part, never its value.
    case invalidRequest(String)
  }

  public let code: Code

  /// Whether the same request may succeed later.
  public let isTransient: Bool

  public var hasTimedOut: Bool { code == .timeout }

  /// Whether the server cannot be reached or gives no proper answer, which tells against all that is sent to it.
  ///
  /// A lost connection does not: servers close theirs now and then with many requests in flight, and the next connection tells.
  public var isServerTrouble: Bool {
    switch code {
    case .timeout, .cannotConnect, .tls, .badResponse: true
    case .connectionLost, .addressNotPublic, .cancelled, .overloaded, .closed, .tooLarge, .authenticationFailed,
      .invalidRequest:
      false
    }
  }

  public var isCancelled: Bool { code == .cancelled }

  /// Whether the server may have acted on the request although its answer is missing.
  public let mayHaveBeenProcessed: Bool

  /// The library's own words, for `debugDescription`.
  private let detail: String

  init(_ code: Code, isTransient: Bool, mayHaveBeenProcessed: Bool = false, detail: String = "") {
    self.code = code
    self.isTransient = isTransient
    self.mayHaveBeenProcessed = mayHaveBeenProcessed
    self.detail = detail
  }

  /// The same about a request that was not sent.
  var beforeSending: TransportError { TransportError(code, isTransient: isTransient, detail: detail) }

  static let cancelled = TransportError(.cancelled, isTransient: true)
  static let overloaded = TransportError(.overloaded, isTransient: true)
  static let closed = TransportError(.closed, isTransient: true)

  static func invalid(_ part: String) -> TransportError {
    TransportError(.invalidRequest(part), isTransient: false)
  }
}

extension TransportError: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String {
    switch code {
    case .timeout: "the request timed out"
    case .cannotConnect: "cannot connect to the server"
    case .addressNotPublic: "the server's address is not in the internet"
    case .tls: "the secure connection was not established"
    case .connectionLost: "the connection was lost before the answer was complete"
    case .cancelled: "the request was cancelled"
    case .overloaded: "too many requests are waiting"
    case .closed: "the client is closed"
    case .tooLarge: "the answer is too large"
    case .authenticationFailed: "the server refused the user name and password"
    case .badResponse: "the server's answer is malformed"
    case .invalidRequest(let part): "invalid request: \(part)"
    }
  }

  public var debugDescription: String {
    let processed = mayHaveBeenProcessed ? ", may have been processed" : ""
    return detail.isEmpty ? "\(description)\(processed)" : "\(description)\(processed): \(detail)"
  }
}
