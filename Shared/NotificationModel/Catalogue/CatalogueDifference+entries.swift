import Rules

/// What becomes of everything beside types.
extension CatalogueDifference {
  mutating func compareCategories(_ old: Catalogue, _ new: Catalogue) {
    let (before, after) = (Set(old.categoryNames), Set(new.categoryNames))
    for name in old.categoryNames where !after.contains(name) {
      add(
        .categoryRemoved,
        name,
        "The category \(name) is gone. What people chose for it stays stored and does not count."
      )
    }
    for name in new.categoryNames {
      guard before.contains(name) else {
        add(.categoryAdded, name, "The category \(name) is new in preferences.")
        continue
      }
      let (former, channels) = (Self.channels(name, old), Self.channels(name, new))
      if former != channels {
        add(.categoryChanged, name, "The category \(name) gives its types \(channels) instead of \(former).")
      }
      let (formerMail, mail) = (Self.mail(name, old), Self.mail(name, new))
      if formerMail.stream != mail.stream {
        add(
          .categoryChanged,
          name,
          "Mails of the category \(name) are \(mail.stream.rawValue) instead of \(formerMail.stream.rawValue)."
        )
      }
      if formerMail.mayUnsubscribe != mail.mayUnsubscribe {
        let words = mail.mayUnsubscribe ? "can now be stopped by one click" : "can no longer be stopped by one click"
        add(.categoryChanged, name, "Mails of the category \(name) \(words).")
      }
    }
  }

  private static func mail(_ category: String, _ catalogue: Catalogue) -> MailHandling {
    catalogue.categories.first { $0.name == category }?.mail ?? .standard
  }

  /// What a category says of its types that say nothing themselves.
  private static func channels(_ category: String, _ catalogue: Catalogue) -> String {
    guard let channels = catalogue.categories.first(where: { $0.name == category })?.channels else {
      return "nothing of its own"
    }
    let names = catalogue.channels.filter { channels[$0.channel] ?? false }.map(\.label)
    return names.isEmpty ? "no channel" : listed(names)
  }

  mutating func compareEvents(_ old: Catalogue, _ new: Catalogue) {
    let events = Self.pairs(old.events, new.events) { $0.name.lowercased() }
    for event in events.gone {
      add(.eventRemoved, event.name, "The event \(event.name) is gone. Reports of it are refused.")
    }
    for event in events.added {
      add(
        .eventAdded,
        event.name,
        "The event \(event.name) is new: \(event.isRelayed ? "it is relayed to open connections" : "it is for rules alone")."
      )
    }
    for (old, new) in events.both {
      let words = Self.words(old.aspects, new.aspects)
      if !words.isEmpty { add(.eventChanged, new.name, "Of the event \(new.name), \(words).") }
    }
  }

  mutating func compareRules(_ old: Catalogue, _ new: Catalogue) {
    let rules = Self.pairs(old.rules.rules, new.rules.rules) { $0.name }
    for rule in rules.gone {
      let memory =
        rule.isStateful
        ? " What it remembers of people is kept and not asked, and what waits for a time is not sent." : ""
      add(
        .ruleRemoved,
        rule.name,
        "The rule \(rule.name) is gone: \(rule.event) no longer leads to \(Self.listed(rule.types.sorted())).\(memory)"
      )
    }
    for rule in rules.added {
      let memory =
        rule.isStateful ? " It remembers nothing of anybody yet, unless a rule of this name was in force before." : ""
      add(.ruleAdded, rule.name, "The rule \(rule.name) is new: \(rule.words).\(memory)")
    }
    for (old, new) in rules.both {
      let difference = RuleDifference(from: old, to: new)
      guard !difference.sentences.isEmpty else { continue }
      add(.ruleChanged, new.name, "The rule \(new.name) is another. \(difference.sentences.joined(separator: " "))")
    }
  }

  mutating func compareSchedules(_ old: Catalogue, _ new: Catalogue) {
    let schedules = Self.pairs(old.schedules, new.schedules) { $0.name.lowercased() }
    for schedule in schedules.gone {
      add(
        .scheduleRemoved,
        schedule.name,
        "The schedule template \(schedule.name) is gone. Schedules that name it are refused; those that are stored send nothing until it is back or they are put anew."
      )
    }
    for schedule in schedules.added {
      add(.scheduleAdded, schedule.name, "The schedule template \(schedule.name) is new: \(schedule.words(in: new)).")
    }
    for (before, after) in schedules.both {
      let (former, words) = (before.words(in: old), after.words(in: new))
      if former != words {
        add(.scheduleChanged, after.name, "The schedule template \(after.name) is \(words) instead of \(former).")
      }
    }
  }

  mutating func compareSettings(_ old: Catalogue, _ new: Catalogue) {
    let settings = Self.pairs(old.settings, new.settings) { $0.name }
    for setting in settings.gone {
      add(
        .settingRemoved,
        setting.name,
        "The setting \(setting.name) is gone. What people set stays stored and is not used."
      )
    }
    for setting in settings.added {
      add(
        .settingAdded,
        setting.name,
        "The setting \(setting.name) is new: from \(setting.bounds.lowerBound) to \(setting.bounds.upperBound), \(setting.initial) at first."
      )
    }
    for (before, after) in settings.both { compare(before, after, old, new) }
  }

  private mutating func compare(
    _ old: DeclaredSetting,
    _ new: DeclaredSetting,
    _ former: Catalogue,
    _ catalogue: Catalogue
  ) {
    var sentences: [String] = []
    if old.bounds != new.bounds {
      sentences.append(
        "It goes from \(new.bounds.lowerBound) to \(new.bounds.upperBound) instead of \(old.bounds.lowerBound) to \(old.bounds.upperBound); what people set outside counts as the nearest within."
      )
    }
    if old.initial != new.initial {
      sentences.append("Who set nothing has \(new.initial) instead of \(old.initial).")
    }
    if old.title != new.title {
      let titles = [(old, former), (new, catalogue)].map { setting, catalogue in
        setting.title.map { "'\($0.text(locale: nil, default: catalogue.defaults.locale))'" } ?? "nothing"
      }
      sentences.append(
        titles[0] == titles[1]
          ? "Its title is another in some language." : "Its title is \(titles[1]) instead of \(titles[0])."
      )
    }
    if !sentences.isEmpty {
      add(.settingChanged, new.name, "The setting \(new.name) is another. \(sentences.joined(separator: " "))")
    }
  }
}

extension EventType {
  fileprivate var aspects: [(name: String, value: String)] {
    [
      ("the name", name),
      ("the use", isRelayed ? "relayed to open connections" : "for rules alone"),
      ("the payload", payload.map { $0.isEmpty ? "empty" : $0.joined(separator: ", ") } ?? "anything"),
      ("the list of arguments", arguments.isEmpty ? "none" : arguments.joined(separator: ", ")),
      ("the list of amounts", amounts.isEmpty ? "none" : amounts.joined(separator: ", ")),
    ]
  }
}

extension ScheduleTemplate {
  fileprivate func words(in catalogue: Catalogue) -> String {
    "\(catalogue.type(type)?.name ?? type.description), \(recurrence) at \(time.spoken)"
  }
}
