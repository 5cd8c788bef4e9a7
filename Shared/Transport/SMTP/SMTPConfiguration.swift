/// The mail server that takes our messages.
public struct SMTPConfiguration: Sendable {
  public var host: String
  public var port: Int
  public var security: SMTPSecurity

  /// nil: no authentication.
  public var username: String?

  /// Never printed.
  public var password: String?

  /// A PEM file with the certificate authorities to trust instead of the system's.
  public var caFile: String?

  /// Connections open at a time, each of which sends one message after another.
  public var maximumConnections = 4

  /// Connections beside those, whose message the server is long in answering: see ``SMTPEnvelope/mayLeave``.
  public var maximumAside = 64

  /// Messages that may wait for a connection; the next one is refused as overloaded.
  public var maximumWaiting = 10_000

  /// From `send` until the server asks for the message, waiting for a connection included.
  public var timeout: Duration = .seconds(30)

  /// From the message's first byte to the server's final reply. Whoever gives up earlier sends the message again although the
  /// server has it: RFC 5321, section 4.5.3.2.6, asks for ten minutes.
  public var contentTimeout: Duration = .seconds(600)

  /// For name lookup, TCP and TLS together.
  public var connectTimeout: Duration = .seconds(5)

  /// The name we greet the server with (EHLO).
  public var clientName = "localhost"

  public init(
    host: String,
    port: Int,
    security: SMTPSecurity,
    username: String? = nil,
    password: String? = nil,
    caFile: String? = nil
  ) {
    self.host = host
    self.port = port
    self.security = security
    self.username = username
    self.password = password
    self.caFile = caFile
  }
}
