/// What stands below a mail's content: set by the operator alone, so that nothing is there unless it was asked for.
struct MailFooter {
  /// As HTML, by the names that the layout knows.
  let values: [String: String]
  /// The same in plain text, with an empty line before it; empty where there is nothing. The link comes first.
  let text: String

  init(_ layout: MailLayout, for reader: Wording.Reader, default locale: String?, unsubscribe: String?) {
    var values: [String: String] = [:]
    var lines: [String] = []
    var link = ""
    if let footer = layout.footer?.text(locale: reader.locale, default: locale) {
      values["footer"] = MailLayout.markup(footer)
      lines.append(footer)
    }
    if let address = layout.address { lines.append(address) }
    if let unsubscribe, unsubscribe.isHTTPSLink {
      let words = layout.unsubscribe.text(locale: reader.locale, default: locale)
      values["unsubscribe"] = unsubscribe
      values["unsubscribeText"] = words
      link = "\n\(words): \(unsubscribe)\n"
    }
    self.values = values
    // As RFC 3676 marks what is below: mail programs fold it away, and laws want the link to be seen.
    text = link + (lines.isEmpty ? "" : "\n-- \n" + lines.joined(separator: "\n") + "\n")
  }
}

extension MailLayout {
  /// The document around a mail's content, and whether it is this layout: what cannot be filled in goes out in the standard one.
  func html(_ body: MailBody, _ footer: MailFooter, language: String?) -> (html: String, isOwn: Bool) {
    var values = constants
    values.merge(footer.values) { $1 }
    let locale = language.flatMap(LocaleName.canonical) ?? TextDefaults.locale
    values["language"] = locale
    values["direction"] = Self.rightToLeft.contains(LocaleName.language(of: locale)) ? "rtl" : "ltr"
    values["subject"] = body.subject
    values["preview"] = body.preview
    values["content"] = body.html + buttons(body.buttons)
    func filled(_ template: HTMLTemplate) -> String? {
      template.render(values, Self.formats, within: Self.maximumMail)
    }
    // Too large, or a value that can stand in no link. Parts are bounded: the standard one has room for all.
    if let html = filled(template) { return (html, true) }
    return (filled(Self.standard.template) ?? values["content", default: ""], false)
  }

  private func buttons(_ buttons: [MailButton]) -> String {
    guard !buttons.isEmpty else { return "" }
    // Borders instead of padding: Outlook knows no padding of a link.
    let style =
      "display:inline-block;margin:0 8px 12px 0;border:solid \(colors.accent);border-width:10px 20px;border-radius:6px;"
      + "background:\(colors.accent);color:\(colors.accent.readable);font-weight:600;text-decoration:none;"
      + "text-align:center;line-height:24px"
    let links = buttons.map { button in
      "<a class=\"mail-button\" href=\"\(button.link.htmlEscaped)\" style=\"\(style)\">\(button.title.htmlEscaped)</a>"
    }
    return "\n<div style=\"margin:24px 0 4px\">\n" + links.joined(separator: "\n") + "\n</div>"
  }

  /// Bytes of a document.
  private static let maximumMail = 1 << 20
  private static let formats = TextDefaults().formats(locale: nil)
  /// Languages that are written from right to left.
  private static let rightToLeft: Set = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]
}

extension MailBody {
  /// What mailboxes show beside the subject: the beginning of the text, on one line.
  var preview: String {
    let words = text.prefix(400).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 140 ? words.prefix(139) + "…" : words
  }
}
