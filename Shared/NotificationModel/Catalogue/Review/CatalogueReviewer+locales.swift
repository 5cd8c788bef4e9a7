import Foundation
import BelfryJSON

/// Languages that some texts have and others lack.
extension CatalogueReviewer {
  var localeFindings: [CatalogueProblem] { ownLocales + missingLocales + unknownNames }

  /// Title in several languages, body in one for all.
  private var ownLocales: [CatalogueProblem] {
    document.entries("types").flatMap { path, type in
      [("title", "body"), ("body", "title")].flatMap { one, other -> [CatalogueProblem] in
        guard let text = type[other]?.string, Self.hasWords(text), let members = type[one]?.members else { return [] }
        return lacking(members.map(\.name), at: "\(path).\(other)") { _ in "which \(one) has" }
      }
    }
  }

  /// A locale that most types have, and one text lacks.
  private var missingLocales: [CatalogueProblem] {
    let all = document.entries("types").map { path, type in (path, type, locales(of: type)) }
    let worded = all.filter { !$0.2.isEmpty }
    var counts: [String: Int] = [:]
    for (_, _, locales) in worded { for locale in locales { counts[locale, default: 0] += 1 } }
    let usual = counts.filter { 2 * $0.value > worded.count && $0.value > 1 }
    guard usual.count > 1 else { return [] }
    var found: [CatalogueProblem] = []
    for (path, type, locales) in all {
      for name in ["title", "body"] where type[name] != nil {
        // Where one of the two has it, the other was found above.
        let lost = usual.keys.filter { !locales.contains($0) }
        guard Self.hasWords(type[name]) else { continue }
        found += lacking(lost.sorted(), at: "\(path).\(name)") { "which \(usual[$0] ?? 0) types have" }
      }
      for (index, action) in (type["actions"]?.array ?? []).enumerated() {
        found += other(action["title"], usual, at: "\(path).actions[\(index)].title")
      }
      for name in ["title", "body"] {
        found += other(type["digest"]?[name], usual, at: "\(path).digest.\(name)")
      }
      for name in ["subject", "text", "html"] {
        found += other(type["mail"]?[name], usual, at: "\(path).mail.\(name)")
      }
    }
    for (path, setting) in document.entries("settings") { found += other(setting["title"], usual, at: "\(path).title") }
    found += other(document.json["mailLayout"]?["footer"], usual, at: "mailLayout.footer")
    for list in ["composition", "defaults"] {
      for name in ["title", "body"] { found += other(document.json[list]?[name], usual, at: "\(list).\(name)") }
    }
    return found
  }

  private func other(_ json: JSONValue?, _ usual: [String: Int], at path: String) -> [CatalogueProblem] {
    guard let json, Self.hasWords(json) else { return [] }
    let own = Set((json.members ?? []).compactMap { LocaleName.canonical($0.name) })
    let lost = usual.keys.filter { !own.contains($0) && !(own.isEmpty && $0 == original) }
    return lacking(lost.sorted(), at: path) { "which \(usual[$0] ?? 0) types have" }
  }

  private func lacking(_ locales: [String], at path: String, _ why: (String) -> String) -> [CatalogueProblem] {
    locales.filter { LocaleName.canonical($0) != original }.map {
      document.problem(path, "has no text for \($0), \(why($0))")
    }
  }

  private var original: String { form.defaultLocale ?? TextDefaults.locale }

  /// Those of the type's title and body; none where it has no words of its own.
  private func locales(of type: JSONValue) -> Set<String> {
    let texts = [type["title"], type["body"]].compactMap { $0 }.filter { Self.hasWords($0) }
    let locales = Set(texts.flatMap { $0.members ?? [] }.compactMap { LocaleName.canonical($0.name) })
    return locales.isEmpty && !texts.isEmpty ? [original] : locales
  }

  /// Whether there is anything but tags, digits and signs: `{{guest}}: {{text}}` is for all languages.
  private static func hasWords(_ json: JSONValue?) -> Bool {
    if let text = json?.string { return hasWords(text) }
    return (json?.members ?? []).contains { $0.value.string.map(hasWords) ?? false }
  }

  private static func hasWords(_ text: String) -> Bool {
    text.split(separator: NotificationTemplate.Part.tag).contains { $0.contains(where: \.isLetter) }
  }

  private static let languages = Set(Locale.LanguageCode.isoLanguageCodes.map(\.identifier))
  private static let currencies = Set(Locale.commonISOCurrencyCodes)

  /// Languages and currencies that there are not.
  private var unknownNames: [CatalogueProblem] {
    var found: [CatalogueProblem] = []
    if let currency = form.currency, !Self.currencies.contains(currency) {
      found.append(document.problem("currency", "there is no currency '\(currency)'"))
    }
    var names = texts.compactMap { text in text.locale.flatMap(LocaleName.canonical).map { (text.path, $0) } }
    if let locale = form.defaultLocale { names.append(("defaultLocale", locale)) }
    for (path, name) in names {
      let language = String(name.prefix { $0 != "-" })
      if !Self.languages.contains(language) {
        found.append(document.problem(path, "there is no language '\(language)'"))
      }
    }
    return found
  }
}
