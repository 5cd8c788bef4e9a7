/// What mails of a type say, where that is more than title and body: by locale, each part by itself.
public struct MailTexts: Sendable {
  /// In place of the title.
  let subject: Localized<NotificationTemplate.Part>?
  /// The plain text, in place of the body.
  let text: Localized<NotificationTemplate.Part>?
  /// What stands in the layout, in place of title and body.
  let html: Localized<HTMLTemplate>?

  /// All variables that they look at.
  var variables: Set<String> {
    var variables: Set<String> = []
    for texts in [subject, text] {
      for part in texts?.values.values.map(\.self) ?? [] { variables.formUnion(part.variables) }
    }
    for template in html?.values.values.map(\.self) ?? [] { variables.formUnion(template.variables) }
    return variables
  }

  /// Those that some data cannot do without.
  var needed: Set<String> {
    var needed: Set<String> = []
    for part in [subject, text] {
      if let part { needed.formUnion(part.choose(nil, fallback: nil).value.needed) }
    }
    if let html { needed.formUnion(html.choose(nil, fallback: nil).value.needed) }
    return needed
  }

  /// The variables that the data lacks; they are the same in all languages.
  func missing(in data: [String: String]) -> Set<String> {
    var missing: Set<String> = []
    for part in [subject, text] {
      if let part { missing.formUnion(part.choose(nil, fallback: nil).value.missing(in: data)) }
    }
    if let html { missing.formUnion(html.choose(nil, fallback: nil).value.missing(in: data)) }
    return missing
  }

  /// What they say by locale, each part with its name, for comparisons; nil says nothing.
  static func sources(of mail: MailTexts?) -> [(name: String, texts: [String: String])] {
    [
      ("subject of mails", mail?.subject?.values.mapValues(\.source) ?? [:]),
      ("text of mails", mail?.text?.values.mapValues(\.source) ?? [:]),
      ("HTML of mails", mail?.html?.values.mapValues(\.source) ?? [:]),
    ]
  }
}

/// How a catalogue file says it.
extension MailTexts {
  static let fields: Set = ["subject", "text", "html"]
  /// Characters of a text, or of HTML.
  static let maximumText = 20_000

  init?(_ reader: FieldReader, original: String) {
    reader.refuseUnknown(known: Self.fields)
    let subject = reader.parts("subject", limit: TextField.title.limit, original: original)
    let text = reader.parts("text", limit: Self.maximumText, original: original)
    let html = reader.html("html", limit: Self.maximumText, original: original)
    guard Self.fields.contains(where: reader.isPresent) else {
      reader.problem("", "has neither subject nor text nor html")
      return nil
    }
    // Who reads the text must miss nothing that the HTML says.
    if reader.isPresent("html"), !reader.isPresent("text") {
      reader.problem("text", "is required where there is html: many read the text alone")
    }
    let locales = [("subject", subject?.locales), ("text", text?.locales), ("html", html?.locales)]
      .compactMap { name, locales in locales.flatMap { $0.count > 1 ? (name: name, locales: $0) : nil } }
    for other in locales.dropFirst() where other.locales != locales[0].locales {
      reader.problem(
        other.name,
        "has \(other.locales.joined(separator: ", ")), but \(locales[0].name) has "
          + locales[0].locales.joined(separator: ", ")
      )
    }
    self.init(subject: subject, text: text, html: html)
  }
}
