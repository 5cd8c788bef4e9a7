/// What a rule sends, by what was reached where it sends different notices.
struct RuleNotices: Sendable, Equatable {
  /// By a value reached (`100`) or an offset (`P1D`).
  let selected: [String: [NoticePlan]]
  /// What is sent for all else.
  let otherwise: [NoticePlan]

  static let maximumPlans = 8

  func plans(for selector: String?) -> [NoticePlan] { selector.flatMap { selected[$0] } ?? otherwise }

  var all: [NoticePlan] { selected.sorted { $0.key < $1.key }.flatMap(\.value) + otherwise }
}

/// One notification of a rule.
struct NoticePlan: Sendable, Equatable {
  /// As the catalogue writes it.
  let type: String
  /// ``EffectID/notice``.
  let label: String
  /// Nil means the rule's user.
  let to: AudiencePlan?
  /// In the place of the rule's.
  let data: [String: RuleTemplate]?
  /// Of the data, what travels with the notification and so must not be large; nil means all.
  let carried: Set<String>?
  let about: EntityPlan?

  /// Every template in it.
  var templates: [RuleTemplate] {
    var templates = (data ?? [:]).values.map { $0 }
    switch to {
    case .users(let users)?: templates += users
    case .group(let group, let except)?: templates += [group] + except
    case nil: break
    }
    if let about { templates.append(about.id) }
    return templates
  }
}

enum AudiencePlan: Sendable, Equatable {
  case users([RuleTemplate])
  case group(RuleTemplate, except: [RuleTemplate])
}

struct EntityPlan: Sendable, Equatable {
  let type: String
  let id: RuleTemplate
}
