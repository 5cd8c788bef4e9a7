import JSON
import Rules

/// What one entry says of another, checked when all files are together.
extension Catalogue {
  /// Names of what is not there.
  func problems(of files: [CatalogueForm]) -> [String] {
    typeProblems + files.flatMap(categoryProblems) + scheduleProblems
  }

  private var typeProblems: [String] {
    Dictionary(grouping: types) { $0.name.lowercased() }.values.filter { $0.count > 1 }
      .sorted { $0[0].code < $1[0].code }
      .map { "types \($0[0].code) and \($0[1].code) are both named \($0[1].name)" }
  }

  /// A file that lists categories lists all it uses, so that a typo makes no heading of its own.
  private func categoryProblems(_ file: CatalogueForm) -> [String] {
    guard file.listsCategories else { return [] }
    let known = Set(categories.map(\.name))
    return file.types.map(\.type).filter { !known.contains($0.category) }.map {
      "type \($0.name): '\($0.category.excerpt)' is not one of the categories"
    }
  }

  private var scheduleProblems: [String] {
    schedules.flatMap { schedule in
      guard let type = self.type(schedule.type) else {
        return ["schedule \(schedule.name): \(schedule.type) is not a type of the catalogue"]
      }
      return type.template.missing(in: [:]).filter { !Self.scheduled.contains($0) }.map {
        "schedule \(schedule.name): the template of \(type.name) needs '\($0)', which a schedule does not give"
      }
    }
  }

  /// Variables that every occurrence of a schedule has.
  private static let scheduled: Set = ["days", "due", "date"]
}

extension Catalogue {
  /// Reads the rules against everything they may name.
  ///
  /// - Returns: Those in order, and what is wrong with the others, each with its rule and field.
  static func read(
    _ definitions: [RuleDefinition],
    types: [NotificationType],
    events: [EventType]
  ) -> (rules: RuleSet, problems: [String]) {
    let known = RuleCatalogue(
      types: Set(types.map(\.name)),
      codes: Dictionary(types.map { ($0.code, $0.name) }) { $1 },
      carried: Dictionary(types.compactMap { type in type.payload.map { (type.name, Set($0)) } }) { $1 },
      filters: Set(TextFilter.Name.allCases.map(\.rawValue)),
      events: Set(events.map(\.name)),
      dataNameProblem: { DataName.problem($0) }
    )
    var rules: [Rule] = []
    var problems: [String] = []
    for definition in definitions {
      do throws(RuleError) {
        rules.append(try Rule(RuleForm(definition.json), in: known))
      } catch {
        problems.append(error.description)
      }
    }
    do throws(RuleError) {
      return (try RuleSet(rules), problems)
    } catch {
      return (RuleSet(), problems + [error.description])
    }
  }
}
