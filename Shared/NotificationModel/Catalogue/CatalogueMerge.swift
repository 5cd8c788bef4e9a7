import TerminalText

/// Puts files together: what a later one says takes the place of the same in an earlier one.
struct CatalogueMerge {
  private(set) var defaults = TextDefaults()
  private(set) var categories: [NotificationCategory] = []
  private(set) var types: [NotificationType] = []
  private(set) var replaced: [Catalogue.Replacement] = []
  private(set) var events: [EventType] = []
  private(set) var rules: [RuleDefinition] = []
  private(set) var schedules: [ScheduleTemplate] = []
  private(set) var settings: [DeclaredSetting] = []
  private(set) var composition: LocalizedTemplate?
  private(set) var mailLayout = MailLayout.standard
  /// What is switched off and is not there: the list, and the entry's name.
  private var absent: [(list: String, name: String)] = []

  init(_ files: [CatalogueForm]) {
    for file in files {
      if let locale = file.defaultLocale { defaults.locale = locale }
      if let currency = file.currency { defaults.currency = currency }
      for category in file.categories {
        if let place = categories.firstIndex(where: { $0.name == category.name }) {
          categories[place] = category
        } else {
          categories.append(category)
        }
      }
    }
    composition = files.compactMap(\.composition).last
    mailLayout = files.compactMap(\.mailLayout).last ?? .standard
    composition?.defaults = defaults
    types = merge(types: files.flatMap(\.types))
    events = latest(files.flatMap(\.events)) { $0.name }.sorted { $0.name < $1.name }
    settings = latest(files.flatMap(\.settings)) { $0.name }.sorted { $0.name < $1.name }
    rules = override(files.map(\.rules), list: "rules").sorted { $0.name < $1.name }
    schedules = override(files.map(\.schedules), list: "schedules").sorted { $0.name < $1.name }
  }

  /// What only shows when the files are together.
  func problems(_ source: CatalogueSource) -> [CatalogueProblem] {
    absent.map { list, name in
      let known = list == "rules" ? rules.map(\.name) : schedules.map(\.name)
      let words = "there is none to switch off\(NearestName.advice(name, among: known))"
      return source.problem(list, named: name, ".off", words)
    }
  }

  private mutating func merge(types entries: [TypeEntry]) -> [NotificationType] {
    let byName = Dictionary(categories.map { ($0.name, $0) }) { $1 }
    let merged = entries.map { entry in
      var type = entry.type
      let category = byName[type.category]
      if !entry.hasOwnChannels, let channels = category?.channels { type.channels = channels }
      type.mail = category?.mail ?? .standard
      type.template.defaults = defaults
      type.digest?.texts.defaults = defaults
      return type
    }
    var names: [Int: String] = [:]
    for type in merged {
      let former = names.updateValue(type.name, forKey: type.code)
      if let former { replaced.append(.init(code: type.code, name: type.name, former: former)) }
    }
    return latest(merged) { String($0.code) }.sorted { $0.code < $1.code }
  }

  /// The last entry of each name.
  private func latest<Entry>(_ entries: [Entry], _ name: (Entry) -> String) -> [Entry] {
    Array(Dictionary(entries.map { (name($0).lowercased(), $0) }) { $1 }.values)
  }

  private mutating func override<Entry>(_ files: [[Overridable<Entry>]], list: String) -> [Entry] {
    var merged: [String: Entry] = [:]
    for entry in files.joined() {
      if entry.entry == nil, merged[entry.key] == nil {
        absent.append((list, entry.name))
      }
      merged[entry.key] = entry.entry
    }
    return Array(merged.values)
  }
}
