/// How a connection to a mail server is protected.
public enum SMTPSecurity: Sendable, Hashable {
  /// Plain text: for a server on this machine.
  case none

  /// Plain text at first, then STARTTLS; a server without it is refused (port 587 usually).
  case startTLS

  /// TLS from the first byte (port 465 usually).
  case tls
}
