/// Why a call, the live connection or an operation failed.
public struct BelfryError: Error, Sendable, Equatable {
  /// What to do about it.
  public enum Code: String, Sendable, CaseIterable {
    /// This device has no network.
    case offline
    /// No answer in time.
    case timeout
    /// The server cannot answer now, or cannot be reached.
    case unavailable
    /// Too many requests; ``BelfryError/retryAfter`` says how long to wait.
    case rateLimited
    /// An answer of 2xx that is not Belfry's, from a captive portal for example.
    case malformed
    /// The app's token closure failed.
    case token
    /// No token, or the server refused two in a row.
    case unauthorized
    /// The user may not do that (403).
    case forbidden
    /// There is no such thing, or not any more (404).
    case notFound
    /// The server refused what was asked; ``BelfryError/problem`` names the fields.
    case invalid
    /// Too many operations wait to be sent.
    case full
    /// The user has signed out, or somebody else has signed in.
    case ended
  }

  /// What kind of failure it is.
  public let code: Code
  /// Of the HTTP answer; 0 where there was none.
  public let status: Int
  /// What the server says of it, safe to log; at most 1,000 characters.
  public let detail: String?
  /// The server's problem details, if it sent any.
  public let problem: Problem?
  /// How long the server wants to be left alone, at most five minutes.
  public let retryAfter: Duration?

  /// What is left out was not said. Without a detail it is the problem's.
  public init(
    _ code: Code,
    status: Int = 0,
    detail: String? = nil,
    problem: Problem? = nil,
    retryAfter: Duration? = nil
  ) {
    self.code = code
    self.status = status
    self.detail = (detail ?? problem?.detail).map { $0.bounded }
    self.problem = problem
    self.retryAfter = retryAfter
  }

  /// Whether the same may succeed a little later.
  public var isTemporary: Bool {
    switch code {
    case .offline, .timeout, .unavailable, .rateLimited, .malformed, .token: true
    case .unauthorized, .forbidden, .notFound, .invalid, .full, .ended: false
    }
  }
}

extension BelfryError: CustomStringConvertible {
  /// Code, status and detail, safe to log.
  public var description: String {
    let answer = status > 0 ? "\(code.rawValue) (\(status))" : code.rawValue
    return detail.map { "\(answer): \($0)" } ?? answer
  }
}

extension String {
  /// What is kept of a text of the server that is for people.
  var bounded: String { utf8.count <= 1_000 ? self : String(prefix(1_000)) }
}
