import NotificationModel
import Rules

/// What a catalogue has beside the built-in entries; all of one without these.
struct OwnEntries: Sendable {
  let types: [NotificationType]
  let rules: [Rule]

  init(_ catalogue: Catalogue) throws(CatalogueError) {
    guard catalogue.hasBuiltIn else {
      types = catalogue.types
      rules = catalogue.rules.rules
      return
    }
    let builtIn = try Catalogue()
    types = catalogue.types.filter { builtIn.type(.code($0.code))?.name != $0.name }
    rules = catalogue.rules.rules.filter { builtIn.rules.rule(named: $0.name) != $0 }
  }

  var isEmpty: Bool { types.isEmpty && rules.isEmpty }
}
