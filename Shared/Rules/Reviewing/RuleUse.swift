/// A member that a rule looks at, and where in the rule it says so.
public struct RuleUse: Sendable, Equatable {
  /// Path of the field within the rule: `data.balance`, `when`.
  public let field: String
  /// The member of the payload, or a name that the rule itself or the engine makes.
  public let member: String
}

/// What a rule hands to a type that it notifies.
public struct RuleGift: Sendable, Equatable {
  /// As the catalogue writes it.
  public let type: String
  /// All the names that it may give.
  public let names: Set<String>
  /// Those that it gives whatever the event brings.
  public let certain: Set<String>
  /// Whether it gives whatever else the event brings.
  public let isOpen: Bool
}

extension Rule {
  /// Every member that the rule names, in the order of its fields.
  public var uses: [RuleUse] {
    var uses: [RuleUse] = []
    func add(_ field: String, _ paths: [PayloadPath]) {
      uses += paths.map { RuleUse(field: field, member: $0.root) }
    }
    if case .event = trigger { add("user", user?.paths ?? []) }
    add("key", key?.paths ?? [])
    for (name, computation) in lets.sorted(by: { $0.key < $1.key }) { add("let.\(name)", computation.members) }
    if case .remind = condition { add("remind", condition.paths) } else { add("when", condition.paths) }
    add("unless", unless)
    for (name, path) in names.sorted(by: { $0.key < $1.key }) { add("names.\(name)", [path]) }
    for (name, template) in (data ?? [:]).sorted(by: { $0.key < $1.key }) { add("data.\(name)", template.paths) }
    for plan in notices.all { add("notify", plan.templates.flatMap(\.paths)) }
    return uses
  }

  /// Names that a rule can use though no event brings them.
  public var ownNames: Set<String> { Set(lets.keys).union(names.keys) }

  /// What the engine knows when the rule sends: for data and notices.
  public var engineNames: Set<String> {
    if case .absence = trigger { return RuleStep.absenceNames }
    switch condition {
    case .streak: return ["streak"]
    case .reaches(let path, _): return [path.description]
    case .remind(let reminder): return reminder.knownNames
    case .always, .atLeast, .crosses, .once, .exceeds: return []
    }
  }

  /// The names under `let` and `names` that nothing of the rule uses, each as its field.
  public var unused: [String] {
    // Without `data` all there is travels.
    guard !notices.all.contains(where: { $0.data == nil && data == nil }) else { return [] }
    let used = Set(uses.map(\.member))
    return lets.keys.sorted().filter { !used.contains($0) }.map { "let.\($0)" }
      + names.keys.sorted().filter { !used.contains($0) }.map { "names.\($0)" }
  }

  /// What each notice gives its type.
  public var gifts: [RuleGift] {
    notices.all.map { plan in
      guard let given = plan.data ?? data else {
        return RuleGift(type: plan.type, names: ownNames.union(engineNames), certain: [], isOpen: true)
      }
      let certain = given.filter { !($0.value.parts.count == 1 && $0.value.places.first?.isOptional == true) }
      return RuleGift(type: plan.type, names: Set(given.keys), certain: Set(certain.keys), isOpen: false)
    }
  }
}

extension RuleComputation {
  fileprivate var members: [PayloadPath] {
    operands.compactMap { if case .member(let path) = $0 { path } else { nil } }
  }
}

extension RuleCondition {
  fileprivate var paths: [PayloadPath] {
    switch self {
    case .always, .streak, .once(nil), .once(.fixed): []
    case .once(.template(let template)?): template.paths
    case .atLeast(let value, let bound): [value] + bound.paths
    case .crosses(let crossing): [crossing.value] + crossing.bound.paths + (crossing.previous.map { [$0] } ?? [])
    case .reaches(let value, _): [value]
    case .exceeds(let value, let bound, let period): [value] + bound.paths + period.paths
    case .remind(.days(let due, _, _, _)): [due]
    case .remind(.instant(let at, let before)): [at] + (before?.member.map { [$0] } ?? [])
    }
  }
}

extension RuleBound {
  fileprivate var paths: [PayloadPath] { if case .member(let path) = self { [path] } else { [] } }
}

extension RulePeriodSource {
  fileprivate var paths: [PayloadPath] { if case .template(let template) = self { template.paths } else { [] } }
}
