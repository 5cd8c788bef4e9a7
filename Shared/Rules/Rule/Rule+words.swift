import WallClock

extension Rule {
  /// What the rule says, as a sentence without its name: `on BalanceUpdated, about {{childId}}, when newBalance falls below
  /// the setting 'Daily limit': LimitWarning`.
  public var words: String {
    var words = [trigger.words]
    if let user, case .event = trigger { words.append("about \(user.source)") }
    if let key { words.append("for each \(key.source)") }
    if let condition = condition.words { words.append(condition) }
    if !unless.isEmpty { words.append("unless \(spoken(unless.map(\.description)))") }
    let computed = lets.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value.words)" }
    let sentence = words.joined(separator: ", ") + ": " + notices.words(about: user?.source)
    return computed.isEmpty ? sentence : "\(sentence) (\(computed.joined(separator: ", ")))"
  }
}

extension RuleTrigger {
  fileprivate var words: String {
    switch self {
    case .event(let name): "on \(name)"
    case .absence(let absence):
      "after \(counted(absence.days, "day")) without \(absence.event), at \(absence.time.description.prefix(5))"
    }
  }
}

extension RuleCondition {
  /// Nil if each event counts.
  fileprivate var words: String? {
    switch self {
    case .always: nil
    case .atLeast(let value, let bound): "when \(value) is at least \(bound)"
    case .crosses(let crossing): "when \(crossing.words)"
    case .reaches(let value, let values): "once \(value) reaches \(spoken(values.map(\.description)))"
    case .streak(let days): "after \(spoken(days.map(\.description))) days on end"
    case .once(nil): "the first time"
    case .once(let period?): "the first time in each \(period.words)"
    case .exceeds(let value, let bound, let period): "if \(value) exceeds \(bound) at the end of the \(period.words)"
    case .remind(let reminder): reminder.words
    }
  }
}

extension RuleCrossing {
  fileprivate var words: String {
    switch direction {
    case .fallsBelow: "\(value) falls below \(bound)"
    case .risesAbove: "\(value) rises above \(bound)"
    }
  }
}

extension RulePeriodSource {
  fileprivate var words: String {
    switch self {
    case .fixed(let period): period.rawValue
    case .template(let template): template.source
    }
  }
}

extension RuleReminder {
  fileprivate var words: String {
    switch self {
    case .days(let due, let time, let offsets, _):
      "\(spoken(offsets.map(Self.words(of:)), last: " and ")) \(due), at \(time.description.prefix(5))"
    case .instant(let at, nil): "at \(at)"
    case .instant(let at, let before?):
      "\(before.member.map { "\($0), else " } ?? "")\(before.otherwise) before \(at)"
    }
  }

  private static func words(of offset: DayOffset) -> String {
    switch offset.days {
    case 0: "on the day of"
    case ..<0: "\(counted(-offset.days, "day")) before"
    default: "\(counted(offset.days, "day")) after"
    }
  }
}

extension RuleComputation {
  fileprivate var words: String {
    switch self {
    case .percentOf(let part, let whole): "\(part.words) in percent of \(whole.words)"
    case .minus(let first, let second): "\(first.words) minus \(second.words)"
    }
  }
}

extension RuleComputation.Operand {
  fileprivate var words: String {
    switch self {
    case .number(let number): number.description
    case .member(let path): path.description
    }
  }
}

extension RuleNotices {
  /// - Parameter user: Whom the rule is about; named where others are notified too.
  fileprivate func words(about user: String?) -> String {
    let user = all.contains { $0.to != nil } ? user : nil
    let chosen = selected.sorted { $0.key < $1.key }.map { "\(Self.words($0.value, user)) for \($0.key)" }
    guard !otherwise.isEmpty else { return chosen.joined(separator: ", ") }
    let rest = Self.words(otherwise, user)
    return chosen.isEmpty ? rest : "\(chosen.joined(separator: ", ")), else \(rest)"
  }

  private static func words(_ plans: [NoticePlan], _ user: String?) -> String {
    spoken(plans.map { $0.words(about: user) }, last: " and ")
  }
}

extension NoticePlan {
  fileprivate func words(about user: String?) -> String {
    switch to {
    case nil: user.map { "\(type) to \($0)" } ?? type
    case .users(let users)?: "\(type) to \(spoken(users.map(\.source), last: " and "))"
    case .group(let group, let except)?:
      "\(type) to the group \(group.source)"
        + (except.isEmpty ? "" : " but \(spoken(except.map(\.source), last: " and "))")
    }
  }
}

extension RuleTemplate {
  /// As a catalogue has it, without superfluous spaces.
  fileprivate var source: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .place(let place):
        "{{"
          + ([place.path.description + (place.isOptional ? "?" : "")] + place.filters.map(\.source))
          .joined(separator: "|") + "}}"
      }
    }.joined()
  }
}

extension RuleTemplate.Filter {
  fileprivate var source: String {
    switch argument {
    case nil: name
    case .text(let text)?: "\(name):\(text)"
    case .value(let path)?: "\(name):@\(path)"
    }
  }
}

/// `7, 30 or 100`
private func spoken(_ words: [String], last: String = " or ") -> String {
  guard let final = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + last + final
}

private func counted(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
