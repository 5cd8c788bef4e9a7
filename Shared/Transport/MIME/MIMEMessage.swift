public import struct Foundation.Date

/// An automatic email: a plain text part and, if given, the same as HTML after it.
///
/// The same value always gives the same bytes.
/// Sources: RFC 5322 (message), RFC 2045 and 2046 (MIME), RFC 2047 (encoded words), RFC 3834 (Auto-Submitted).
public struct MIMEMessage: Sendable {
  public var from: MIMEAddress
  public var to: MIMEAddress
  public var subject: String

  /// `unique@domain`, with or without angle brackets.
  public var messageID: String

  public var date: Date
  public var text: String
  public var html: String?

  /// After the standard ones, e.g. `List-Unsubscribe`: at most ``maximumExtraHeaders`` and ``maximumExtraSize`` bytes, each once, and
  /// none that the message has itself.
  public var extraHeaders: [(name: String, value: String)]

  public static let maximumExtraHeaders = 16
  /// Of names and values together.
  public static let maximumExtraSize = 8_192

  public init(
    from: MIMEAddress,
    to: MIMEAddress,
    subject: String,
    messageID: String,
    date: Date,
    text: String,
    html: String? = nil,
    extraHeaders: [(name: String, value: String)] = []
  ) {
    self.from = from
    self.to = to
    self.subject = subject
    self.messageID = messageID
    self.date = date
    self.text = text
    self.html = html
    self.extraHeaders = extraHeaders
  }

  /// The message in RFC 5322 form, ASCII only, lines ending in CRLF.
  ///
  /// A header value with a line break or NUL, or one that cannot be written, is `.invalidRequest` with the header's name.
  public func encoded() throws(TransportError) -> [UInt8] {
    var message = MIMEHeaderWriter()
    message.append("Date", verbatim: MIMEDate.encode(date))
    try message.append("From", from)
    try message.append("To", to)
    try message.append("Subject", text: subject)
    try message.append("Message-ID", identifier: messageID)
    try message.append("MIME-Version", text: "1.0")
    try message.append("Auto-Submitted", text: "auto-generated")
    for (name, value) in extraHeaders { try message.append(name, text: value) }
    try checkExtraHeaders()
    guard let html else { return message.lines + part("text/plain", text) }
    let boundary = self.boundary
    var bytes = message.lines
    bytes += "Content-Type: multipart/alternative;\r\n boundary=\"\(boundary)\"\r\n\r\n".utf8
    bytes += "--\(boundary)\r\n".utf8
    bytes += part("text/plain", text)
    bytes += "\r\n--\(boundary)\r\n".utf8
    bytes += part("text/html", html)
    bytes += "\r\n--\(boundary)--\r\n".utf8
    return bytes
  }

  /// Names of headers that a message has itself, or that would say something else of its parts.
  private static let ownHeaders: Set = [
    "date", "from", "to", "subject", "message-id", "mime-version", "auto-submitted", "content-type",
    "content-transfer-encoding", "sender", "cc", "bcc",
  ]

  private func checkExtraHeaders() throws(TransportError) {
    let size = extraHeaders.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard extraHeaders.count <= Self.maximumExtraHeaders, size <= Self.maximumExtraSize else {
      throw .invalid("extra headers")
    }
    var names = Self.ownHeaders
    for (name, _) in extraHeaders where !names.insert(name.lowercased()).inserted { throw .invalid(name) }
  }

  private func part(_ type: String, _ content: String) -> [UInt8] {
    var bytes = Array(
      "Content-Type: \(type); charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n".utf8
    )
    bytes += QuotedPrintable.encode(content)
    return bytes
  }

  /// Cannot occur in a part: quoted-printable never has `=` before `_`. Derived from the id (FNV-1a), so it is the same
  /// each time the message is built.
  private var boundary: String {
    let hash = messageID.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "=_\(String(hash, radix: 16))"
  }
}
