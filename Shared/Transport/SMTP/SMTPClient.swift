public import Logging
public import ServiceLifecycle

/// Sends mail through one server, over a few connections that are kept and used again.
///
/// It may be used as soon as it is made; `run` closes it at the end.
public final class SMTPClient: Service {
  private let engine: SMTPEngine
  private let timeout: Duration

  public init(configuration: SMTPConfiguration, logger: Logger) {
    engine = SMTPEngine(configuration, logger: logger)
    timeout = configuration.timeout
  }

  /// The server's reply: taken, or refused with 4xx or 5xx at any of MAIL, RCPT, DATA and the message itself.
  ///
  /// Throws when there is no such reply: no connection, TLS, authentication, time. Cancelling the caller closes the
  /// connection at once; the server may have taken the message then.
  public func send(_ envelope: SMTPEnvelope) async throws(TransportError) -> SMTPReply {
    try await engine.send(envelope, timeout: timeout)
  }

  /// The server's reply to a sender (MAIL), after connection, TLS and authentication; it gets no mail.
  ///
  /// Throws as `send` does.
  public func probe(_ sender: String) async throws(TransportError) -> SMTPReply {
    try await engine.probe(sender, timeout: timeout)
  }

  /// From now on, ends what the server has in full and has not answered: as closed, and possibly processed.
  public func giveUpAnswers() { engine.giveUpAnswers() }

  /// Waits for graceful shutdown or cancellation, then closes.
  public func run() async throws {
    do {
      try await gracefulShutdown()
    } catch {
      // Cancelled: the same end.
    }
    await close()
  }

  /// Refuses new messages, waits for those in flight, then closes the connections. Cancelling the caller ends them at once.
  public func close() async {
    await engine.close()
  }
}
