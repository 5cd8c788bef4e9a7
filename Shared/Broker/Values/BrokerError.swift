public import Retrying

/// Why the broker driver could not do what it was asked.
///
/// `description` is safe to log and to show: it holds no password and no message content. `debugDescription` adds the
/// code and what the broker or the C library said.
public struct BrokerError: TransienceReporting, Sendable, Equatable {
  public enum Code: Sendable, Equatable {
    /// The exchange has no queue for this routing key; nothing was stored.
    case unroutable
    /// The broker refused to store the message, e.g. because the queue is full.
    case nacked
    /// The connection broke before the confirm: the message may be stored or not.
    case connectionLost
    /// There is no connection at the moment; nothing was sent.
    case unavailable
    /// The broker has a memory or disk alarm and accepts nothing for now.
    case blocked
    /// Too many callers wait already; nothing was sent.
    case overloaded
    /// The broker took too long; a message may be stored or not.
    case timeout
    /// The calling task was cancelled; a message may be stored or not.
    case cancelled
    case messageTooLarge
    /// Something about the message can't be put on the wire, e.g. a routing key above 255 bytes.
    case invalidMessage
    case invalidConfiguration
    /// No host could be reached.
    case cannotConnect
    /// The broker refused user, password, virtual host or permission.
    case accessRefused
    /// The peer's certificate isn't trusted, names another host, or the peer speaks no TLS.
    case tls
    /// No such queue or exchange.
    case notFound
    /// A queue or exchange exists with other properties than declared.
    case preconditionFailed
    /// An exclusive queue belongs to another connection.
    case resourceLocked
    /// The broker or the library broke the protocol.
    case protocolViolation
    /// The publisher has been shut down.
    case closed
  }

  public let code: Code
  /// One sentence, safe to show.
  let message: String
  /// What the broker or the library said.
  let detail: String?

  package init(_ code: Code, _ message: String, detail: String? = nil) {
    self.code = code
    self.message = message
    self.detail = detail
  }

  /// The same call may succeed later without anybody changing anything.
  ///
  /// An unroutable message counts, since the queues are declared anew at the next connect; so does a closed publisher,
  /// since the next process has another.
  public var isTransient: Bool {
    switch code {
    case .nacked, .connectionLost, .unavailable, .blocked, .overloaded, .timeout, .cannotConnect, .resourceLocked,
      .unroutable, .closed:
      true
    case .cancelled, .messageTooLarge, .invalidMessage, .invalidConfiguration, .accessRefused, .tls, .notFound,
      .preconditionFailed, .protocolViolation:
      false
    }
  }

  public var hasTimedOut: Bool { code == .timeout }

  public var isCancelled: Bool { code == .cancelled }
}

extension BrokerError: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { message }

  public var debugDescription: String {
    "BrokerError.\(code): \(message)" + (detail.map { " (\($0))" } ?? "")
  }
}
