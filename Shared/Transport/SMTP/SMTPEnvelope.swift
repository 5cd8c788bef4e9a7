/// A message and whom it goes to, apart from what its own headers say.
public struct SMTPEnvelope: Sendable {
  /// Takes bounces; without angle brackets. Empty: no bounces (`<>`).
  public var sender: String

  /// Without angle brackets. The server has to take all of them or the message goes to none.
  public var recipients: [String]

  /// RFC 5322, lines ending in CRLF; leading dots are escaped on the way.
  public var message: [UInt8]

  /// Asked while the server is long in answering, how long it has been: true lets the connection leave the pool, in which another may be
  /// opened then. Nil: it stays.
  public var mayLeave: (@Sendable (_ waited: Duration) -> Bool)?

  public init(sender: String, recipients: [String], message: [UInt8]) {
    self.sender = sender
    self.recipients = recipients
    self.message = message
  }
}
