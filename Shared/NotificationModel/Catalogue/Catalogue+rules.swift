import JSON
import Rules

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
