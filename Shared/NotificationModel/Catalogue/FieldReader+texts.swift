import BelfryJSON

/// Texts of a catalogue: one for all, or one for each of some locales.
extension FieldReader {
  /// A text, or a map of locales to texts; nil if absent.
  ///
  /// - Parameters:
  ///   - limit: In characters.
  ///   - original: The locale of the file's author, which a map must have.
  func localized(_ name: String, limit: Int, original: String) -> Localized<String>? {
    guard isPresent(name) else { return nil }
    guard isObject(name) else {
      return wholeText(name, limit: limit).map { Localized($0, original: original) }
    }
    return object(name) { $0.localized(limit: limit, original: original) }
  }

  /// This object as a map of locales to texts.
  private func localized(limit: Int, original: String) -> Localized<String>? {
    var texts: [String: String] = [:]
    for name in names {
      guard let locale = LocaleName.canonical(name) else {
        problem(name.excerpt, "is not a locale such as en or de-AT")
        continue
      }
      guard let text = wholeText(name, limit: limit) else {
        if !isPresent(name) { problem(name, "must not be empty") }
        continue
      }
      if texts.updateValue(text, forKey: locale) != nil { problem(name, "stands twice for \(locale)") }
    }
    guard texts[original] != nil else {
      if !names.contains(where: { LocaleName.canonical($0) == original }) {
        problem("", "has no text for the default locale \(original)")
      }
      return nil
    }
    return Localized(texts, original: original)
  }

  /// A text in which no tag was begun or ended by mistake.
  private func wholeText(_ name: String, limit: Int) -> String? {
    guard let text = text(name, limit: limit, allowsLineBreaks: true) else { return nil }
    guard let stray = NotificationTemplate.Part.strayBraces(in: text) else { return text }
    problem(name, "'\(text.excerpt)' \(stray)")
    return nil
  }

  /// The fields `title` and `body`, or what the defaults say, as templates; nil after a problem.
  func templates(
    title defaultTitle: Localized<String>? = nil,
    body defaultBody: Localized<String>? = nil,
    original: String
  ) -> Localized<NotificationTemplate>? {
    func part(_ name: String, limit: Int, _ given: Localized<String>?) -> Localized<NotificationTemplate.Part>? {
      let texts = isPresent(name) ? localized(name, limit: limit, original: original) : given
      guard let texts else {
        if !isPresent(name) { problem(name, "is required") }
        return nil
      }
      return template(texts, name)
    }
    let title = part("title", limit: TextField.title.limit, defaultTitle)
    let body = part("body", limit: TextField.body.limit, defaultBody)
    guard let title, let body else { return nil }
    if title.values.count > 1, body.values.count > 1, title.locales != body.locales {
      problem(
        "body",
        "has \(body.locales.joined(separator: ", ")), but title has \(title.locales.joined(separator: ", "))"
      )
      return nil
    }
    var templates: [String: NotificationTemplate] = [:]
    for locale in Set(title.locales + body.locales) {
      templates[locale] = NotificationTemplate(
        title: title.choose(locale, fallback: nil).value,
        body: body.choose(locale, fallback: nil).value
      )
    }
    return Localized(templates, original: original)
  }

  /// The field's text as a template, e.g. what a digest gathers by; nil if absent.
  func part(_ name: String) -> NotificationTemplate.Part? {
    guard let text = wholeText(name, limit: 200) else { return nil }
    return template(Localized(text, original: ""), name)?.values[""]
  }

  /// Plain texts as templates, such as the subjects of a type's mails; nil if absent, or after a problem.
  func parts(_ name: String, limit: Int, original: String) -> Localized<NotificationTemplate.Part>? {
    localized(name, limit: limit, original: original).flatMap { template($0, name) }
  }

  /// The HTML of a type's mails as templates; nil if absent, or after a problem.
  func html(_ name: String, limit: Int, original: String) -> Localized<HTMLTemplate>? {
    localized(name, limit: limit, original: original).flatMap { texts in
      compiled(texts, name, variables: \.variables) { (text) throws(CatalogueError) in
        try HTMLTemplate(text, isContent: true)
      }
    }
  }

  private func template(_ texts: Localized<String>, _ name: String) -> Localized<NotificationTemplate.Part>? {
    compiled(texts, name, variables: \.variables) { (text) throws(CatalogueError) in
      try NotificationTemplate.Part(text)
    }
  }

  /// Compiled texts. All languages look at the same variables: where one does not, somebody forgot something.
  private func compiled<Template>(
    _ texts: Localized<String>,
    _ name: String,
    variables: KeyPath<Template, Set<String>>,
    _ compile: (String) throws(CatalogueError) -> Template
  ) -> Localized<Template>? {
    var parts: [String: Template] = [:]
    for (locale, text) in texts.values.sorted(by: { $0.key < $1.key }) {
      do throws(CatalogueError) {
        parts[locale] = try compile(text)
      } catch {
        problem(texts.values.count > 1 ? "\(name).\(locale)" : name, error.description)
      }
    }
    guard parts.count == texts.values.count, let original = parts[texts.original] else { return nil }
    let known = original[keyPath: variables]
    for (locale, part) in parts.sorted(by: { $0.key < $1.key }) {
      for lost in known.subtracting(part[keyPath: variables]).sorted() {
        problem("\(name).\(locale)", "lacks {{\(lost)}}, which \(texts.original) has")
      }
      for own in part[keyPath: variables].subtracting(known).sorted() {
        problem("\(name).\(locale)", "has {{\(own)}}, which \(texts.original) lacks")
      }
    }
    return Localized(parts, original: texts.original)
  }
}
