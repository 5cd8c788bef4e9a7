import Cryptography

extension LocalizedTemplate {
  /// Which texts would have more characters than may be sent, for readers of any language that there are texts in.
  ///
  /// - Parameters: `title` and `body` are what the request brings itself.
  func excess(title: String?, body: String?, data: [String: String]) -> [TextField] {
    var excess: Set<TextField> = []
    for (locale, template) in templates.values
    where template.mayExceed(hasTitle: title != nil, hasBody: body != nil, data) {
      let formats = defaults.formats(locale: locale, language: locale)
      excess.formUnion(
        template.render(title: title, body: body, data: data, formats: formats, maximumBodyLength: maximumBodyLength)
          .excess
      )
    }
    return TextField.allCases.filter(excess.contains)
  }
}

extension NotificationTemplate {
  /// False for nearly everything: without putting a text together.
  fileprivate func mayExceed(hasTitle: Bool, hasBody: Bool, _ data: [String: String]) -> Bool {
    !hasTitle && title.mayExceed(TextField.title.limit, data) || !hasBody && body.mayExceed(TextField.body.limit, data)
  }
}

extension NotificationTemplate.Part {
  /// The text as a key by which things are gathered or counted. Keys are indexed, so of a long one it is a hash of the values.
  public func key(_ data: [String: String]) -> String {
    if let text = render(data, within: 1_024) { return text }
    var hash = SHA256()
    for name in variables.sorted() {
      guard let value = data[name] else { continue }
      hash.update(Array("\(name.utf8.count) \(name)\(value.utf8.count) \(value)".utf8))
    }
    return "sha256:" + hash.finalize().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
