import Foundation

extension MailTexts {
  /// In which language the content is; nil where they have a subject alone.
  func language(for locale: String?, default fallback: String) -> String? {
    html?.choose(locale, fallback: fallback).locale ?? text?.choose(locale, fallback: fallback).locale
  }

  /// What they say, with title and body where they say nothing; nil if a part is larger than may be sent, or a value is no link where
  /// one must be.
  func fill(
    _ content: NotificationContent,
    _ template: LocalizedTemplate,
    for reader: Wording.Reader,
    _ zone: TimeZone?
  ) -> (subject: String, text: String, html: String)? {
    let (data, defaults) = (content.data, template.defaults)
    var worded = template.worded
    func note(_ part: NotificationTemplate.Part, _ field: TextField) {
      if part.hasWords { worded.insert(field) } else { worded.remove(field) }
    }
    func chosen<Value>(_ texts: Localized<Value>) -> (value: Value, formats: TextFormats) {
      let (language, value) = texts.choose(reader.locale, fallback: defaults.locale)
      return (value, defaults.formats(locale: reader.locale, language: language, timeZone: zone))
    }
    var filled = (subject: content.title, text: content.body + "\n", html: "")
    if let subject {
      let (part, formats) = chosen(subject)
      guard let text = part.fill(.title, data, formats) else { return nil }
      filled.subject = text
      note(part, .title)
    }
    if let text {
      let (part, formats) = chosen(text)
      guard let text = part.render(data, formats) else { return nil }
      note(part, .body)
      filled.text = text.last?.isNewline == true ? text : text + "\n"
    }
    if let html {
      let (template, formats) = chosen(html)
      guard let html = template.render(data, formats) else { return nil }
      // Ends what may be open at its end, a list's item or a paragraph: buttons and a layout's footer come next.
      filled.html = "<div>\(html)</div>"
    } else {
      var same = content
      (same.title, same.body) = (filled.subject, text == nil ? content.body : filled.text)
      filled.html = MailBody.html(same, worded: worded)
    }
    return filled
  }
}
