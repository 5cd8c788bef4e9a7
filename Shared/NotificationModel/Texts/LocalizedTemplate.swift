public import Foundation

/// Title and body of a type in the languages that the catalogue has for it.
public struct LocalizedTemplate: Sendable {
  let templates: Localized<NotificationTemplate>
  /// In characters as a person counts them (grapheme clusters); the rest of a rendered body is left away, nothing is added.
  public internal(set) var maximumBodyLength: Int?
  /// What the catalogue says of readers without a locale, and of amounts without a currency.
  var defaults: TextDefaults
  /// Whether readers in different places get different words: there are several languages, or values that readers
  /// write differently.
  public let dependsOnReader: Bool
  /// Whether the reader's zone makes a difference as well as the locale: an instant is shown as a date.
  public let dependsOnZone: Bool

  init(
    _ templates: Localized<NotificationTemplate>,
    maximumBodyLength: Int? = nil,
    defaults: TextDefaults = TextDefaults()
  ) {
    self.templates = templates
    self.maximumBodyLength = maximumBodyLength
    self.defaults = defaults
    let filters = templates.values.values.reduce(into: Set<TextFilter.Name>()) { filters, template in
      filters.formUnion(template.title.filters.union(template.body.filters))
    }
    dependsOnReader = templates.values.count > 1 || !filters.isEmpty
    dependsOnZone = filters.contains(where: \.dependsOnZone)
  }

  /// The same texts for all.
  ///
  /// - Throws: ``CatalogueError`` if either is no valid template.
  public init(title: String, body: String) throws(CatalogueError) {
    let template = try NotificationTemplate(title: title, body: body)
    self.init(Localized(template, original: TextDefaults.locale))
  }

  /// Locales that have texts of their own.
  public var locales: [String] { templates.locales }

  /// Of title and body, what has words of its own, and not only values.
  var worded: Set<TextField> {
    let template = templates.choose(nil, fallback: nil).value
    var worded: Set<TextField> = []
    if template.title.hasWords { worded.insert(.title) }
    if template.body.hasWords { worded.insert(.body) }
    return worded
  }

  /// In which of them a reader gets it: the reader's own, what is more general, and so on for the catalogue's default.
  ///
  /// - Parameter locale: The reader's, e.g. `de-AT`; nil means the catalogue's default.
  public func language(for locale: String?) -> String { templates.choose(locale, fallback: defaults.locale).locale }

  /// The required variables that `data` lacks, in alphabetical order. They are the same in all languages.
  ///
  /// - Parameters: `hasTitle` and `hasBody` say which part the request brings itself.
  public func missing(in data: [String: String], hasTitle: Bool = false, hasBody: Bool = false) -> [String] {
    templates.choose(nil, fallback: nil).value.missing(in: data, hasTitle: hasTitle, hasBody: hasBody)
  }

  /// Fills in `data`; a given title or body is taken as it is.
  ///
  /// - Parameters:
  ///   - locale: The reader's, e.g. `de-AT`; nil means the catalogue's default.
  ///   - timeZone: The reader's, for instants that become dates; nil means UTC.
  public func render(
    title: String?,
    body: String?,
    data: [String: String],
    locale: String? = nil,
    timeZone: TimeZone? = nil
  ) -> NotificationTemplate.Text {
    let (language, template) = templates.choose(locale, fallback: defaults.locale)
    return template.render(
      title: title,
      body: body,
      data: data,
      formats: defaults.formats(locale: locale, language: language, timeZone: timeZone),
      maximumBodyLength: maximumBodyLength
    )
  }
}

/// What a catalogue says of readers without a locale, and of amounts without a currency.
public struct TextDefaults: Sendable, Equatable {
  static let locale = "en"
  static let currency = "USD"

  /// Canonical, e.g. `en`.
  public internal(set) var locale = Self.locale
  /// ISO 4217.
  public internal(set) var currency = Self.currency

  /// How values are written for a reader.
  ///
  /// - Parameter language: That of the text around them; nil means the reader's.
  public func formats(locale: String?, language: String? = nil, timeZone: TimeZone? = nil) -> TextFormats {
    let reader = locale.flatMap(LocaleName.canonical) ?? self.locale
    return TextFormats(locale: reader, language: language, timeZone: timeZone, currency: currency)
  }
}
