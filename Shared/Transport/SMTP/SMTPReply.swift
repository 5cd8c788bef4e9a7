/// The server's last word on a message: it has taken it, or says why not.
public struct SMTPReply: Sendable, Hashable {
  /// RFC 5321: 2xx taken, 4xx try later, 5xx refused.
  public let code: Int

  /// RFC 3463, e.g. `5.1.1`; nil when the server gives none.
  public let enhancedCode: String?

  /// The server's words, lines joined by blanks, at most 1,000 characters. May repeat the recipient's address.
  public let text: String

  /// It refuses our own sender (the answer to MAIL), which says nothing about the recipient or the message.
  public let refusesSender: Bool

  /// It refuses the mail as a whole, after the recipient was taken (the answer to DATA, or to the content).
  public let refusesMail: Bool

  public var accepted: Bool { 200..<300 ~= code }

  public init(
    code: Int,
    enhancedCode: String? = nil,
    text: String = "",
    refusesSender: Bool = false,
    refusesMail: Bool = false
  ) {
    self.code = code
    self.enhancedCode = enhancedCode
    self.text = text
    self.refusesSender = refusesSender
    self.refusesMail = refusesMail
  }
}
