public import Foundation

/// How a ``BelfrySender`` reaches the gateway: one request, one answer.
///
/// ``URLSessionSenderTransport`` is used unless you give another, such as one over async-http-client.
public protocol SenderTransport: Sendable {
  /// Makes one attempt, and answers whatever status came.
  ///
  /// It repeats nothing, follows no redirects, answers or throws within the request's `timeout`, and keeps at most `maximumAnswer` bytes.
  ///
  /// - Throws: `CancellationError` if the task was cancelled; ``TransportError`` to say whether another attempt may succeed. Every other error
  ///   counts as a broken connection, after which the sender tries again.
  func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// What a ``SenderTransport`` sends.
public struct TransportRequest: Sendable {
  /// `GET`, `POST`, `PUT` or `DELETE`.
  public var method: String
  public var url: URL
  /// By name, each once. One of them is a secret: do not log them.
  public var headers: [String: String]
  /// Nil where there is none.
  public var body: Data?
  /// For the attempt as a whole: connecting, sending, and the whole answer.
  public var timeout: Duration

  /// Bytes of an answer's body: a page of a hundred schedules of 64 KiB is the largest.
  public static let maximumAnswer = 16 * 1_024 * 1_024

  public init(method: String, url: URL, headers: [String: String], body: Data?, timeout: Duration) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// What came back.
public struct TransportResponse: Sendable {
  public var status: Int
  /// By names in lower case.
  public let headers: [String: String]
  public var body: Data

  /// - Parameter headers: Names in any case. Of a name that comes twice, the first value is kept.
  public init(status: Int, headers: some Sequence<(name: String, value: String)>, body: Data) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    self.body = body
  }
}

/// Why a ``SenderTransport`` has no answer.
public struct TransportError: Error, Sendable, CustomStringConvertible {
  /// Whether another attempt may succeed: true after a broken connection, false for a certificate that is not trusted.
  public let isTransient: Bool
  /// In words, without secrets.
  public let description: String
  /// What the library below threw.
  public let cause: (any Error)?

  public init(_ description: String, isTransient: Bool, cause: (any Error)? = nil) {
    self.description = description
    self.isTransient = isTransient
    self.cause = cause
  }
}
