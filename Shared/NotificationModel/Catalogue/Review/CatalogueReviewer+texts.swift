import BelfryJSON

/// What people would read and nobody meant.
extension CatalogueReviewer {
  /// One text of the file.
  struct Text {
    let path: String
    let text: String
    /// As the file has it; nil for a text for all.
    let locale: String?
    /// Whether tags in it are filled in.
    let isTemplate: Bool
    /// Whether it is the headline of something.
    let isTitle: Bool
    /// Whether it is a mail's whole text or HTML, in which blanks and braces by themselves are in order.
    var isMarkup = false
  }

  static func texts(of document: CatalogueDocument) -> [Text] {
    var texts = texts(of: document.json["defaults"], at: "defaults")
    texts += self.texts(of: document.json["composition"], at: "composition")
    for (path, type) in document.entries("types") {
      texts += self.texts(of: type, at: path)
      texts += self.texts(of: type["digest"], at: "\(path).digest")
      for member in ["digest", "throttle"] {
        texts += versions(of: type[member]?["key"], at: "\(path).\(member).key", isTemplate: true, isTitle: true)
      }
      for (index, action) in (type["actions"]?.array ?? []).enumerated() {
        texts += versions(of: action["title"], at: "\(path).actions[\(index)].title", isTemplate: false, isTitle: true)
        texts += versions(of: action["link"], at: "\(path).actions[\(index)].link", isTemplate: true, isTitle: true)
      }
      texts += mailTexts(of: type["mail"], at: "\(path).mail")
    }
    for (path, setting) in document.entries("settings") {
      texts += versions(of: setting["title"], at: "\(path).title", isTemplate: false, isTitle: true)
    }
    let layout = document.json["mailLayout"]
    texts += versions(of: layout?["name"], at: "mailLayout.name", isTemplate: false, isTitle: true)
    texts += versions(of: layout?["unsubscribe"], at: "mailLayout.unsubscribe", isTemplate: false, isTitle: true)
    texts += versions(of: layout?["footer"], at: "mailLayout.footer", isTemplate: false, isTitle: false)
    return texts
  }

  private static func mailTexts(of json: JSONValue?, at path: String) -> [Text] {
    versions(of: json?["subject"], at: "\(path).subject", isTemplate: true, isTitle: true)
      + ["text", "html"].flatMap { name in
        versions(of: json?[name], at: "\(path).\(name)", isTemplate: true, isTitle: false).map { text in
          var text = text
          text.isMarkup = true
          return text
        }
      }
  }

  private static func texts(of json: JSONValue?, at path: String) -> [Text] {
    versions(of: json?["title"], at: "\(path).title", isTemplate: true, isTitle: true)
      + versions(of: json?["body"], at: "\(path).body", isTemplate: true, isTitle: false)
  }

  /// One text for all, or one for each locale.
  private static func versions(of json: JSONValue?, at path: String, isTemplate: Bool, isTitle: Bool) -> [Text] {
    guard let json else { return [] }
    func version(_ text: String, _ path: String, _ locale: String?) -> Text {
      Text(path: path, text: text, locale: locale, isTemplate: isTemplate, isTitle: isTitle)
    }
    if let text = json.string { return [version(text, path, nil)] }
    return (json.members ?? []).compactMap { member in
      member.value.string.map { version($0, "\(path).\(member.name)", member.name) }
    }
  }

  var textFindings: [CatalogueProblem] {
    texts.flatMap(findings)
      + ruleTexts.flatMap { path, text in [brace(in: text, at: path), blank(around: text, at: path)].compactMap(\.self)
      }
      + straightQuotes(document.json, at: "")
  }

  private func findings(_ text: Text) -> [CatalogueProblem] {
    var found: [CatalogueProblem] = []
    if text.text.allSatisfy(\.isWhitespace) { found.append(document.problem(text.path, "is empty")) }
    if text.isMarkup { return found }
    if !text.isTemplate, text.text.contains(NotificationTemplate.Part.tag) {
      found.append(document.problem(text.path, "is no template: people would read the braces", at: "{{"))
    }
    if let brace = brace(in: text.text, at: text.path) { found.append(brace) }
    if let blank = blank(around: text.text, at: text.path) { found.append(blank) }
    let lines = text.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if text.isTitle, lines.count > 1 {
      found.append(document.problem(text.path, "is a title of several lines"))
    } else if lines.dropFirst().contains(where: { $0.first == " " }) {
      found.append(document.problem(text.path, "has a line that begins with a blank"))
    }
    return found
  }

  private func blank(around text: String, at path: String) -> CatalogueProblem? {
    guard let first = text.first, let last = text.last, first.isWhitespace || last.isWhitespace else { return nil }
    return document.problem(path, "begins or ends with a blank")
  }

  /// What was meant for a tag, such as `{ {name}}`; two that are together are refused with the form.
  private func brace(in text: String, at path: String) -> CatalogueProblem? {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else { return nil }
    for words in text.split(separator: NotificationTemplate.Part.tag, omittingEmptySubsequences: false) {
      guard !words.contains("{{"), !words.contains("}}"),
        let place = words.firstIndex(where: { $0 == "{" || $0 == "}" })
      else { continue }
      let fragment = String(words[place...].prefix { !$0.isNewline && $0 != "\"" && $0 != "\\" }.prefix(12))
      let message = "has '\(words[place])' by itself, which people would read: a tag is {{name}}"
      return document.problem(path, message, at: fragment)
    }
    return nil
  }

  /// All texts of the file's rules.
  var ruleTexts: [(path: String, text: String)] {
    document.entries("rules").flatMap { path, rule in Self.strings(rule, at: path) }
  }

  private static func strings(_ json: JSONValue, at path: String) -> [(path: String, text: String)] {
    switch json {
    case .string(let text): [(path, text)]
    case .array(let elements): elements.enumerated().flatMap { strings($1, at: "\(path)[\($0)]") }
    case .object(let members): members.flatMap { strings($0.value, at: "\(path).\($0.name)") }
    case .null, .boolean, .number: []
    }
  }

  /// Texts without quotes that end with one: somebody forgot the first.
  private func straightQuotes(_ json: JSONValue, at path: String) -> [CatalogueProblem] {
    switch json {
    case .string(let text):
      guard document.places[path]?.isPlain == true, let last = text.last, last == "\"" || last == "'" else { return [] }
      let words = "ends with a quote that does not begin: put the whole text in quotes if that is meant"
      return [document.problem(path, words)]
    case .array(let elements): return elements.enumerated().flatMap { straightQuotes($1, at: "\(path)[\($0)]") }
    case .object(let members):
      return members.flatMap { straightQuotes($0.value, at: path.isEmpty ? $0.name : "\(path).\($0.name)") }
    case .null, .boolean, .number: return []
    }
  }
}
