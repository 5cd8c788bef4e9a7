/// What is another where a rule takes the place of one with its name, and what then counts of what was remembered of people.
///
/// What a rule remembers is found by its name, the person, its key and its period (``Rule/stateKey(of:zone:)``): where these come
/// out as before, the new rule goes on with what the former remembered, whatever else is another.
public struct RuleDifference: Sendable, Equatable {
  /// Empty where the rule does as before.
  public private(set) var sentences: [String] = []
  /// Whether it remembers nothing of what was.
  public private(set) var beginsAnew = false

  public init(from old: Rule, to new: Rule) {
    let (old, new) = (old.bare, new.bare)
    guard old != new else { return }
    sentences.append(
      old.words == new.words ? "Its notifications carry other data." : "It was: \(old.words). It is: \(new.words)."
    )
    switch (old.isStateful, new.isStateful) {
    case (false, false): break
    case (false, true):
      beginsAnew = true
      sentences.append("It begins anew: it remembers nothing of anybody yet.")
    case (true, false):
      sentences.append("What it remembers of people no longer counts, and what waits for a time is not sent.")
    case (true, true): compareMemory(old, new)
    }
  }

  private mutating func compareMemory(_ old: Rule, _ new: Rule) {
    guard old.kind == new.kind else {
      beginsAnew = true
      sentences.append("It begins anew, and what waits for a time is not sent.")
      if let kept = Self.common(old, new) { sentences.append(kept) }
      return
    }
    let places = [
      old.user != new.user ? "user" : nil, old.key != new.key ? "key" : nil, old.period != new.period ? "period" : nil,
    ].compactMap(\.self)
    guard places.isEmpty else {
      beginsAnew = true
      sentences.append(
        "It begins anew wherever its \(places.joined(separator: " and ")) comes out as another: nothing is remembered there."
      )
      if new.hasTimers { sentences.append("What waits for a time already is still sent, by the new rule.") }
      return
    }
    if old.event.lowercased() != new.event.lowercased() {
      sentences.append("What it remembers from \(old.event) goes on to count.")
    }
    if old.condition != new.condition || old.trigger != new.trigger, let consequence = Self.consequence(old, new) {
      sentences.append(consequence)
    }
  }

  /// What both kinds of rule remember alike.
  private static func common(_ old: Rule, _ new: Rule) -> String? {
    let kinds: Set = [old.kind, new.kind]
    return kinds == [.reaches, .streak] ? "Of values that a person has reached, none so low is sent again." : nil
  }

  /// What becomes of what is remembered, where the rule compares it with something else.
  private static func consequence(_ old: Rule, _ new: Rule) -> String? {
    switch (old.condition, new.condition) {
    case (.crosses(let before), .crosses(let after)) where before.value != after.value:
      "Until a person's next event, the last \(before.value) counts as \(after.value)."
    case (.crosses, .crosses):
      "A person's next event is compared with the last value that is known: who is across already is not notified."
    case (.reaches, .reaches), (.streak, .streak):
      "A value below one that a person has reached is not sent any more."
    case (.exceeds(_, let bound, _), .exceeds(_, let other, _)):
      if case .setting = other, bound != other {
        "In a period that has begun, the last value that was reported is compared with the setting."
      } else {
        "In a period that has begun, what was reported is judged as before until the person's next event."
      }
    case (.remind(.days), .remind(.days)):
      "A reminder that waits is looked at when it was due, and then by the new days and times; so is a date that is reported again."
    case (.remind(.instant), .remind(.instant)):
      "A reminder that waits is sent when it was due, unless its time is reported again."
    default:
      if case .absence(let absence) = new.trigger {
        "The days of absence go on to count; who is away for over \(absence.days) days already is not notified until the next return."
      } else {
        nil
      }
    }
  }
}

extension Rule {
  /// Rules of one kind remember the same of people.
  fileprivate enum Kind {
    case absence, none, crosses, reaches, streak, once, exceeds, days, instant
  }

  fileprivate var kind: Kind {
    if case .absence = trigger { return .absence }
    return switch condition {
    case .always, .atLeast: .none
    case .crosses: .crosses
    case .reaches: .reaches
    case .streak: .streak
    case .once: .once
    case .exceeds: .exceeds
    case .remind(.days): .days
    case .remind(.instant): .instant
    }
  }

  fileprivate var hasTimers: Bool { [.exceeds, .days, .instant].contains(kind) }

  fileprivate var period: RulePeriodSource? {
    switch condition {
    case .once(let period): period
    case .exceeds(_, _, let period): period
    case .always, .atLeast, .crosses, .reaches, .streak, .remind: nil
    }
  }

  /// The rule without what it only repeats of the rest of the catalogue: titles of settings, and what types carry.
  fileprivate var bare: Rule {
    Rule(
      name: name,
      trigger: trigger,
      user: user,
      key: key,
      lets: lets,
      unless: unless,
      names: names,
      condition: condition.bare,
      data: data,
      notices: RuleNotices(
        selected: notices.selected.mapValues { $0.map(\.bare) },
        otherwise: notices.otherwise.map(\.bare)
      )
    )
  }
}

extension RuleCondition {
  fileprivate var bare: RuleCondition {
    switch self {
    case .atLeast(let value, let bound): .atLeast(value, bound.bare)
    case .crosses(let crossing):
      .crosses(
        RuleCrossing(
          value: crossing.value,
          previous: crossing.previous,
          bound: crossing.bound.bare,
          direction: crossing.direction
        )
      )
    case .exceeds(let value, let bound, let period): .exceeds(value, bound.bare, period)
    case .always, .reaches, .streak, .once, .remind: self
    }
  }
}

extension RuleBound {
  fileprivate var bare: RuleBound { if case .setting(let name, _) = self { .setting(name, title: nil) } else { self } }
}

extension NoticePlan {
  fileprivate var bare: NoticePlan {
    NoticePlan(type: type, label: label, to: to, data: data, carried: nil, about: about)
  }
}
