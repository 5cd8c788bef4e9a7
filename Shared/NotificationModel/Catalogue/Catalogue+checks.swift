import BelfryJSON
import Rules

/// What one entry says of another, checked when all files are together.
extension Catalogue {
  /// Names of what is not there.
  func problems(of files: [CatalogueForm]) -> [CatalogueProblem] {
    let source = CatalogueSource(files)
    return typeProblems(source) + files.flatMap { categoryProblems($0, source) } + scheduleProblems(source)
      + settingProblems(source)
  }

  private func typeProblems(_ source: CatalogueSource) -> [CatalogueProblem] {
    Dictionary(grouping: types) { $0.name.lowercased() }.values.filter { $0.count > 1 }
      .sorted { $0[0].code < $1[0].code }
      .map { types in
        let words = "types \(types[0].code) and \(types[1].code) are both named \(types[1].name)"
        return source.problem("types", named: types[1].name, ".name", words)
      }
  }

  /// A file that lists categories lists all it uses, so that a typo makes no heading of its own.
  private func categoryProblems(_ file: CatalogueForm, _ source: CatalogueSource) -> [CatalogueProblem] {
    guard file.listsCategories else { return [] }
    let known = categories.map(\.name)
    return file.types.compactMap { entry in
      MissingName.category(entry.type.category, among: known).map {
        source.problem("types", named: entry.type.name, ".category", $0)
      }
    }
  }

  private func scheduleProblems(_ source: CatalogueSource) -> [CatalogueProblem] {
    let (names, codes) = (types.map(\.name), Set(types.map(\.code)))
    return schedules.flatMap { schedule -> [CatalogueProblem] in
      if let words = MissingName.type(schedule.type, names: names, codes: codes) {
        return [source.problem("schedules", named: schedule.name, ".type", words)]
      }
      guard let type = self.type(schedule.type) else { return [] }
      return type.template.missing(in: [:]).filter { !Self.scheduled.contains($0) }.map {
        let words = "the template of \(type.name) needs '\($0)', which a schedule does not give"
        return source.problem("schedules", named: schedule.name, ".type", words)
      }
    }
  }

  private func settingProblems(_ source: CatalogueSource) -> [CatalogueProblem] {
    guard settings.count > DeclaredSetting.maximumCount else { return [] }
    let words = "there are \(settings.count) settings; at most \(DeclaredSetting.maximumCount) are allowed"
    return [source.problem("settings", words)]
  }

  /// Variables that every occurrence of a schedule has.
  static let scheduled: Set = ["days", "due", "date"]
}

extension Catalogue {
  /// Reads the rules against everything they may name.
  ///
  /// - Returns: Those in order, and what is wrong with the others, each with its rule and field.
  static func read(
    _ definitions: [RuleDefinition],
    in known: RuleCatalogue,
    _ source: CatalogueSource
  ) -> (rules: RuleSet, problems: [CatalogueProblem]) {
    var rules: [Rule] = []
    var problems: [CatalogueProblem] = []
    for definition in definitions {
      do throws(RuleErrors) {
        rules.append(try Rule.read(RuleForm(definition.json), in: known))
      } catch {
        problems += error.errors.map { error in
          let field = error.field.isEmpty ? "" : ".\(error.field)"
          return source.problem("rules", named: definition.name, field, error.problem)
        }
      }
    }
    do throws(RuleError) {
      return (try RuleSet(rules), problems)
    } catch {
      return (RuleSet(), problems + [source.problem("rules", error.problem)])
    }
  }
}

extension RuleCatalogue {
  /// What rules may name.
  init(_ types: [NotificationType], _ events: [EventType], _ settings: [DeclaredSetting], _ defaults: TextDefaults) {
    self.init(
      types: Set(types.map(\.name)),
      codes: Dictionary(types.map { ($0.code, $0.name) }) { $1 },
      carried: Dictionary(types.compactMap { type in type.payload.map { (type.name, Set($0)) } }) { $1 },
      settings: Dictionary(
        settings.map { ($0.name, $0.title?.text(locale: nil, default: defaults.locale)) }
      ) { $1 },
      filters: Set(TextFilter.Name.allCases.map(\.rawValue)),
      events: Set(events.map(\.name)),
      dataNameProblem: { DataName.problem($0) }
    )
  }
}

/// Finds what entries of several files are called, and where they stand.
struct CatalogueSource {
  private let documents: [CatalogueDocument?]

  init(_ files: [CatalogueForm]) {
    documents = files.map(\.document)
  }

  /// A problem with an entry, which stands in the last of the files that has it. Of the built-in one nobody wants to know the line.
  func problem(_ list: String, named name: String, _ field: String, _ message: String) -> CatalogueProblem {
    guard documents.count == 1 || last?.has(list, named: name) == true, let last else {
      return CatalogueProblem(path: "built-in \(list.dropLast()) \(name)\(field)", message: message)
    }
    return last.problem(last.path(list, named: name) + field, message)
  }

  /// A problem with a list.
  func problem(_ list: String, _ message: String) -> CatalogueProblem {
    last?.problem(list, message) ?? CatalogueProblem(path: list, message: message)
  }

  private var last: CatalogueDocument? { documents.last ?? nil }
}
