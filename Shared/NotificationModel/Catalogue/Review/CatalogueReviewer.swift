import BelfryJSON
import Rules

/// Finds what people would suffer from in a file, be it good enough to be used or not.
struct CatalogueReviewer {
  let document: CatalogueDocument
  /// Without the entries that could not be read.
  let form: CatalogueForm
  /// What is in force before the file; nil where it begins with nothing.
  let base: CatalogueForm?
  /// Both together.
  let merge: CatalogueMerge
  /// Everything that rules may name, also of entries that could not be read.
  private let known: RuleCatalogue
  /// The rules that could be read, those of the base included.
  let rules: [Rule]
  /// What rules give types, by the types' names.
  private let gifts: [String: [(rule: Rule, gift: RuleGift)]]
  /// All that is shown to people, in any language.
  let texts: [Text]
  /// By their names in lower case.
  private let events: [String: EventType]
  /// What schedule templates send: codes, and names in lower case.
  private let scheduled: Set<String>

  init(_ document: CatalogueDocument, _ form: CatalogueForm, over base: CatalogueForm?) {
    self.document = document
    self.form = form
    self.base = document.json["builtIn"]?.boolean == false ? nil : base
    merge = CatalogueMerge((self.base.map { [$0] } ?? []) + [form])
    known = Self.names(merge, document)
    let names = known
    rules = merge.rules.compactMap { definition in
      do throws(RuleErrors) { return try Rule.read(RuleForm(definition.json), in: names) } catch { return nil }
    }
    gifts = Dictionary(grouping: rules.flatMap { rule in rule.gifts.map { (rule: rule, gift: $0) } }) { $0.gift.type }
    texts = Self.texts(of: document)
    events = Dictionary(merge.events.map { ($0.name.lowercased(), $0) }) { $1 }
    scheduled = Set(merge.schedules.map { $0.type.text.lowercased() })
  }

  private static func names(_ merge: CatalogueMerge, _ document: CatalogueDocument) -> RuleCatalogue {
    var known = RuleCatalogue(merge.types, merge.events, merge.settings, merge.defaults)
    for (_, entry) in document.entries("types") {
      guard let name = entry["name"]?.string else { continue }
      if known.types.insert(name).inserted, let code = entry["code"]?.integer { known.codes[code] = name }
    }
    known.events?.formUnion(document.entries("events").compactMap { $0.json["name"]?.string })
    for name in document.entries("settings").compactMap({ $0.json["name"]?.string }) where known.settings[name] == nil {
      known.settings[name] = .some(nil)
    }
    return known
  }

  /// All findings that are no mistake of form and no name of what is not there.
  var findings: [CatalogueProblem] {
    textFindings + variableFindings + localeFindings + replacingFindings + ruleFindings + eventFindings + mailFindings
      + layoutFindings
  }

  /// Names of what is not there, where a mistake of form keeps the files from being put together.
  var references: [CatalogueProblem] {
    let source = CatalogueSource([form])
    let own = merge.rules.filter { document.has("rules", named: $0.name) }
    return Catalogue.read(own, in: known, source).problems + categoryReferences + scheduleReferences
  }

  private var categoryReferences: [CatalogueProblem] {
    guard form.listsCategories else { return [] }
    let names = document.entries("categories").compactMap { $0.json["name"]?.string } + merge.categories.map(\.name)
    return document.entries("types").compactMap { path, entry in
      guard let category = entry["category"]?.string, let words = MissingName.category(category, among: names) else {
        return nil
      }
      return document.problem("\(path).category", words)
    }
  }

  private var scheduleReferences: [CatalogueProblem] {
    let (names, codes) = (Array(known.types), Set(known.codes.keys))
    return document.entries("schedules").compactMap { path, entry in
      let text = entry["type"]?.string
      let code = entry["type"]?.integer ?? text.flatMap { Int($0) }
      guard let reference = code.map(Catalogue.Reference.code) ?? text.map(Catalogue.Reference.name),
        let words = MissingName.type(reference, names: names, codes: codes)
      else { return nil }
      return document.problem("\(path).type", words)
    }
  }

  // MARK: Looking up

  /// The type in force of that name.
  func type(_ name: String) -> NotificationType? {
    merge.types.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The file's types, each with its path.
  var ownTypes: [(path: String, type: NotificationType)] {
    form.types.map { entry in
      var type = entry.type
      // What is asked of the template here does not depend on the catalogue's defaults.
      type.template.defaults = merge.defaults
      return (document.path("types", named: type.name), type)
    }
  }

  /// The file's rules that could be read, each with its path.
  var ownRules: [(path: String, rule: Rule)] {
    rules.compactMap { rule in
      document.has("rules", named: rule.name) ? (document.path("rules", named: rule.name), rule) : nil
    }
  }

  /// What rules give a type.
  func gifts(to type: NotificationType) -> [(rule: Rule, gift: RuleGift)] {
    gifts[type.name] ?? []
  }

  /// The event that a rule looks at.
  func event(of rule: Rule) -> EventType? {
    events[rule.event.lowercased()]
  }

  /// Whether a schedule template sends the type.
  func isScheduled(_ type: NotificationType) -> Bool {
    scheduled.contains(String(type.code)) || scheduled.contains(type.name.lowercased())
  }
}
