import TerminalText
import WallClock

/// What the parts of a rule, each good in itself, must not say together.
extension Rule {
  func check(_ reader: FormReader, _ catalogue: RuleCatalogue) {
    if isStateful, user == nil {
      reader.problems.add(reader.error("is missing: the rule remembers what it told whom", at: "user"))
    }
    if key != nil, !isStateful {
      reader.problems.add(reader.error("has no meaning where nothing is remembered", at: "key"))
    }
    if user == nil, notices.all.contains(where: { $0.to == nil }) {
      reader.problems.add(reader.error("needs 'to', or the rule a 'user'", at: "notify"))
    }
    _ = reader.part { () throws(RuleError) in try checkSelectors(reader) }
    if case .absence = trigger { _ = reader.part { () throws(RuleError) in try checkAbsence(reader) } }
    checkFilters(reader, catalogue)
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

  private func checkFilters(_ reader: FormReader, _ catalogue: RuleCatalogue) {
    guard let known = catalogue.filters else { return }
    let sets = [("data", data ?? [:])] + notices.all.map { ("notify", $0.data ?? [:]) }
    for (field, templates) in sets {
      for (name, template) in templates.sorted(by: { $0.key < $1.key }) {
        for filter in template.places.flatMap(\.filters) where !known.contains(filter.name) {
          let names = known.sorted().joined(separator: ", ")
          let advice = NearestName.advice(filter.name, among: known)
          let problem = "'\(filter.name)' is not a filter; there are \(names)\(advice)"
          reader.problems.add(reader.error(problem, at: "\(field).\(name)"))
        }
      }
    }
  }
}
