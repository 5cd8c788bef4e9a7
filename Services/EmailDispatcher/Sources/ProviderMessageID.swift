import Transport

/// The id under which a mail server or provider goes on with a mail that it took: its webhooks name the mail by it. Pure.
enum ProviderMessageID {
  private static let lengths = 5...200

  /// Nil where the reply has none: then reports are matched by the Message-ID.
  ///
  /// Postfix, SendGrid and many others say `Ok: queued as <id>`, Exim `OK id=<id>`, Amazon SES `Ok <id>`.
  static func of(_ reply: SMTPReply) -> String? {
    guard reply.accepted else { return nil }
    let words = reply.text.split(separator: " ").prefix(40).map { $0.trimmingPrefix("<").prefix { $0 != ">" } }
    let lowercased = words.map { $0.lowercased() }
    if let found = words.first(where: { $0.lowercased().hasPrefix("id=") }) { return checked(found.dropFirst(3)) }
    if words.count == 2, lowercased[0].hasPrefix("ok"), words[1].utf8.count >= 16 { return checked(words[1]) }
    for index in words.indices.dropLast(2) where lowercased[index] == "queued" && lowercased[index + 1] == "as" {
      return checked(words[index + 2])
    }
    return nil
  }

  private static func checked(_ word: Substring) -> String? {
    // Some end it as a sentence.
    let id = word.last == "." || word.last == "," || word.last == ";" ? word.dropLast() : word
    let isID = id.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "@"):
        true
      default: false
      }
    }
    return isID && lengths.contains(id.utf8.count) ? String(id) : nil
  }
}
