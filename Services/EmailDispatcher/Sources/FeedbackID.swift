import NotificationModel

/// `Feedback-ID: type:category:stream:SENDER`, by which Gmail tells a sender which of its mails people call spam. Pure.
///
/// Source: https://support.google.com/mail/answer/6254652 ("Feedback Loop")
enum FeedbackID {
  /// Whether a text can name a sender: 5 to 15 characters, the same in all mails.
  static func isSender(_ text: String) -> Bool {
    5...15 ~= text.utf8.count && text.utf8.allSatisfy(isPlain)
  }

  static func value(_ content: NotificationContent, sender: String) -> String {
    let parts = [content.typeName, content.category ?? "none", content.mail.stream.rawValue].map(part)
    return (parts + [sender]).joined(separator: ":")
  }

  /// A name as a part: letters, digits, `.` and `_`, with a `-` for whatever stands between them. What loses more than inner
  /// blanks by that has a number at the end, so that two names stay two.
  static func part(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else if let last = bytes.last, last != UInt8(ascii: "-") {
        bytes.append(UInt8(ascii: "-"))
      }
    }
    if bytes.last == UInt8(ascii: "-") { bytes.removeLast() }
    let text = String(decoding: bytes.prefix(maximumLength), as: UTF8.self)
    let isWhole = !bytes.isEmpty && name == text.replacing("-", with: " ")
    return isWhole ? text : "\(text.isEmpty ? "x" : text)-\(NameHash.text(name))"
  }

  private static let maximumLength = 40

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
