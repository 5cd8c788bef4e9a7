/// A message and whom it goes to, apart from what its own headers say.
public struct SMTPEnvelope: Sendable {
  /// Takes bounces; without angle brackets. Empty: no bounces (`<>`).
  public var sender: String

  /// Without angle brackets. The server has to take all of them or the message goes to none.
  public var recipients: [String]

  /// RFC 5322, lines ending in CRLF; leading dots are escaped on the way.
  public var message: [UInt8]

  public init(sender: String, recipients: [String], message: [UInt8]) {
    self.sender = sender
    self.recipients = recipients
    self.message = message
  }
}
