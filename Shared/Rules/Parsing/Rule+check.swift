import WallClock

/// What the parts of a rule, each good in itself, must not say together.
extension Rule {
  func check(_ reader: FormReader, _ catalogue: RuleCatalogue) throws(RuleError) {
    if isStateful, user == nil { throw reader.error("is missing: the rule remembers what it told whom", at: "user") }
    if key != nil, !isStateful { throw reader.error("has no meaning where nothing is remembered", at: "key") }
    if user == nil, notices.all.contains(where: { $0.to == nil }) {
      throw reader.error("needs 'to', or the rule a 'user'", at: "notify")
    }
    try checkSelectors(reader)
    if case .absence = trigger { try checkAbsence(reader) }
    try checkFilters(reader, catalogue)
  }

  private func checkSelectors(_ reader: FormReader) throws(RuleError) {
    let possible: [String]
    switch condition {
    case .reaches(_, let values), .streak(let values): possible = values.map(\.description)
    case .remind(.days(_, _, let offsets, _)): possible = offsets.map(\.description)
    case .always, .atLeast, .crosses, .once, .exceeds, .remind(.instant): possible = []
    }
    if let stray = notices.selected.keys.sorted().first(where: { !possible.contains($0) }) {
      let problem = possible.isEmpty ? "the rule reaches no values" : "is not among \(possible.joined(separator: ", "))"
      throw reader.error(problem, at: "notify.\(stray)")
    }
    if notices.otherwise.isEmpty, let missing = possible.first(where: { notices.selected[$0] == nil }) {
      throw reader.error("'else' is missing: nothing is said for \(missing)", at: "notify")
    }
    if notices.otherwise.isEmpty, notices.selected.isEmpty { throw reader.error("expected a type", at: "notify") }
  }

  /// There is no payload when nothing has happened.
  private func checkAbsence(_ reader: FormReader) throws(RuleError) {
    let templates = notices.all.flatMap(\.templates) + (data ?? [:]).values
    let stray = templates.flatMap(\.places)
      .first { !$0.isOptional && !RuleStep.absenceNames.contains($0.path.description) }
    if let stray {
      let names = RuleStep.absenceNames.sorted().joined(separator: ", ")
      throw reader.error("'{{\(stray.path)}}': where an event is absent there are only \(names)", at: "notify")
    }
  }

  private func checkFilters(_ reader: FormReader, _ catalogue: RuleCatalogue) throws(RuleError) {
    guard let known = catalogue.filters else { return }
    let sets = [("data", data ?? [:])] + notices.all.map { ("notify", $0.data ?? [:]) }
    for (field, templates) in sets {
      for (name, template) in templates.sorted(by: { $0.key < $1.key }) {
        if let filter = template.places.flatMap(\.filters).first(where: { !known.contains($0.name) }) {
          let names = known.sorted().joined(separator: ", ")
          throw reader.error("'\(filter.name)' is not a filter; there are \(names)", at: "\(field).\(name)")
        }
      }
    }
  }
}
