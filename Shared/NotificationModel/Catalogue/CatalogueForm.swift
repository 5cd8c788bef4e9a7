import BelfryJSON

/// What one catalogue file says, checked by itself: ``Catalogue`` puts files together.
///
/// Unknown fields are refused with their place: a typo must not silently change who is notified. Each kind of entry knows its
/// own fields.
struct CatalogueForm: FieldReadable, Sendable {
  /// Canonical; nil where the file does not say.
  let defaultLocale: String?
  let currency: String?
  /// False: nothing of the built-in catalogue is in force beside this file; see ``inForce(_:)``.
  let builtIn: Bool
  private(set) var categories: [NotificationCategory]
  private(set) var types: [TypeEntry]
  private(set) var events: [EventType]
  private(set) var rules: [Overridable<RuleDefinition>]
  private(set) var schedules: [Overridable<ScheduleTemplate>]
  private(set) var settings: [DeclaredSetting]
  /// What several notifications say that are delivered as one.
  let composition: LocalizedTemplate?
  /// What is around the content of every mail.
  let mailLayout: MailLayout?
  /// Whether the file says what categories there are: then its types may not make up others.
  private(set) var listsCategories: Bool
  /// The file that it was read from.
  var document: CatalogueDocument?

  static let fields: Set = [
    "version", "builtIn", "defaultLocale", "currency", "defaults", "categories", "types", "events", "rules",
    "schedules", "settings", "composition", "mailLayout",
  ]

  static let compositionFields: Set = ["title", "body"]

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: Self.fields)
    if let version = reader.required("version", Int.self, expected: "1"), version != 1 {
      reader.problem("version", "\(version) is not 1")
    }
    defaultLocale = Self.locale(reader)
    currency = Self.currency(reader)
    builtIn = reader.optional("builtIn", Bool.self, expected: "true or false") ?? true
    let original = defaultLocale ?? TextDefaults.locale
    let defaults = reader.object("defaults") { TypeDefaults($0, original: original) }
    listsCategories = reader.isPresent("categories")
    categories = reader.unique("categories", { $0.name }) { NotificationCategory($0) }
    types = Self.types(reader, defaults: defaults, original: original)
    events = reader.unique("events", { $0.name }) { EventType($0) }
    rules = reader.unique("rules", { $0.name }) { Overridable($0, RuleDefinition.init) }
    schedules = reader.unique("schedules", { $0.name }) { Overridable($0, ScheduleTemplate.init) }
    settings = reader.unique("settings", limit: DeclaredSetting.maximumCount, { $0.name }) {
      DeclaredSetting($0, original: original)
    }
    composition = reader.object("composition") { reader in
      reader.refuseUnknown(known: Self.compositionFields)
      return reader.templates(original: original).map { LocalizedTemplate($0) }
    }
    mailLayout = reader.object("mailLayout") { MailLayout($0, original: original) }
    guard Self.fields.subtracting(["version", "defaults"]).contains(where: reader.isPresent) else {
      reader.problem(
        "",
        "has neither types nor events, nor anything else; builtIn: true is the built-in catalogue alone"
      )
      return nil
    }
  }

  private static func locale(_ reader: FieldReader) -> String? {
    guard let text = reader.text("defaultLocale", limit: 35) else { return nil }
    let locale = LocaleName.canonical(text)
    if locale == nil { reader.problem("defaultLocale", "'\(text.excerpt)' is not a locale such as en or de-AT") }
    return locale
  }

  private static func currency(_ reader: FieldReader) -> String? {
    guard let text = reader.text("currency", limit: 3) else { return nil }
    if !text.isCurrencyCode { reader.problem("currency", "'\(text)' is not a code of ISO 4217 such as USD") }
    return text
  }

  private static func types(_ reader: FieldReader, defaults: TypeDefaults?, original: String) -> [TypeEntry] {
    guard reader.isPresent("types") else { return [] }
    if !reader.isPresent("defaults") { reader.problem("defaults", "is required where there are types") }
    // Whatever is wrong with the defaults, what is wrong with the types is reported as well.
    let defaults = defaults ?? TypeDefaults(original: original)
    var codes = Set<Int>()
    return reader.unique("types", { $0.type.name }) { reader in
      guard let entry = TypeEntry(reader, defaults: defaults, original: original) else { return nil }
      if !codes.insert(entry.type.code).inserted { reader.problem("code", "\(entry.type.code) stands twice") }
      return entry
    }
  }
}

extension CatalogueForm {
  /// What counts of files: where one says `builtIn: false`, those before it give nothing but locale, currency and composition.
  static func inForce(_ files: [CatalogueForm]) -> [CatalogueForm] {
    guard let first = files.lastIndex(where: { !$0.builtIn }) else { return files }
    return files[..<first].map(\.withoutEntries) + files[first...]
  }

  private var withoutEntries: CatalogueForm {
    var form = self
    (form.categories, form.types, form.events) = ([], [], [])
    (form.rules, form.schedules, form.settings) = ([], [], [])
    form.listsCategories = false
    return form
  }
}

extension FieldReader {
  /// A list of objects with different names, without regard to case; empty if absent.
  fileprivate func unique<Entry>(
    _ name: String,
    limit: Int = 10_000,
    _ nameOf: (Entry) -> String,
    _ read: (FieldReader) -> Entry?
  ) -> [Entry] {
    var names = Set<String>()
    let entries = objects(name, limit: limit) { reader -> Entry? in
      guard let entry = read(reader) else { return nil }
      if !names.insert(nameOf(entry).lowercased()).inserted {
        reader.problem("name", "\(nameOf(entry)) stands twice")
      }
      return entry
    }
    return entries ?? []
  }
}
