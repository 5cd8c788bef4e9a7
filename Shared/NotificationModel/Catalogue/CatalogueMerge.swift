/// Puts files together: what a later one says takes the place of the same in an earlier one.
struct CatalogueMerge {
  private(set) var defaults = TextDefaults()
  private(set) var categories: [NotificationCategory] = []
  private(set) var types: [NotificationType] = []
  private(set) var replaced: [Catalogue.Replacement] = []
  private(set) var events: [EventType] = []
  private(set) var rules: [RuleDefinition] = []
  private(set) var schedules: [ScheduleTemplate] = []
  private(set) var composition: LocalizedTemplate?
  /// What only shows when the files are together.
  private(set) var problems: [String] = []

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
    composition?.defaults = defaults
    types = merge(types: files.flatMap(\.types))
    events = latest(files.flatMap(\.events)) { $0.name }.sorted { $0.name < $1.name }
    rules = override(files.map(\.rules), kind: "rule").sorted { $0.name < $1.name }
    schedules = override(files.map(\.schedules), kind: "schedule").sorted { $0.name < $1.name }
  }

  private mutating func merge(types entries: [TypeEntry]) -> [NotificationType] {
    let channels = Dictionary(categories.map { ($0.name, $0.channels) }) { $1 }
    let merged = entries.map { entry in
      var type = entry.type
      if !entry.hasOwnChannels, let channels = channels[type.category] ?? nil { type.channels = channels }
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

  private mutating func override<Entry>(_ files: [[Overridable<Entry>]], kind: String) -> [Entry] {
    var merged: [String: Entry] = [:]
    for entry in files.joined() {
      if entry.entry == nil, merged[entry.key] == nil {
        problems.append("\(kind) \(entry.name): there is none to switch off")
      }
      merged[entry.key] = entry.entry
    }
    return Array(merged.values)
  }
}
