/// What becomes of types and of what they say. A type is known by its code: what waits, is stored and was chosen has that.
extension CatalogueDifference {
  mutating func compareTypes(_ old: Catalogue, _ new: Catalogue) {
    let types = Self.pairs(old.types, new.types) { String($0.code) }
    for type in types.gone {
      let successor = new.type(.name(type.name))
      let rest =
        if let successor {
          "Its name is type \(successor.code)'s now: requests that say \(type.code) are refused, and choices of people for \(type.code) do not count for \(successor.code)."
        } else {
          "Requests that name it are refused; what waits keeps its words."
        }
      lose(code: type.code, name: successor == nil ? type.name : nil)
      add(.typeRemoved, type.name, "Type \(type.label) is gone. \(rest)")
    }
    for type in types.added {
      added[type.code] = type.name
      let on = new.channels.filter { type.channels[$0.channel] ?? false }.map(\.label)
      let reach = on.isEmpty ? "no channel" : Self.listed(on)
      let needs = type.template.missing(in: [:])
      let data = needs.isEmpty ? "" : " Requests must give \(Self.listed(needs.map { "'\($0)'" }))."
      add(
        .typeAdded,
        type.name,
        "Type \(type.label) is new, in the category \(type.category). It comes by \(reach) unless people choose otherwise.\(data)"
      )
    }
    for (before, after) in types.both { compare(before, after, isNameFree: new.type(.name(before.name)) == nil) }
  }

  /// Takes types that had the codes of new ones: their codes lived on, in requests, rows and choices.
  ///
  /// - Parameter former: Of each code those that had it, the latest first.
  public mutating func note(_ former: [FormerType]) {
    var seen: Set<Int> = []
    for type in former {
      guard let name = added[type.code], seen.insert(type.code).inserted, name.lowercased() != type.name.lowercased()
      else { continue }
      add(
        .codeReused,
        name,
        "Type \(type.code) \(name) has the code that \(type.name) had until version \(type.goneSince). What still waits, was sent or chosen under \(type.code) becomes \(name)'s: take another code, unless that is meant."
      )
    }
  }

  /// - Parameter isNameFree: No type has the former name now.
  private mutating func compare(_ old: NotificationType, _ new: NotificationType, isNameFree: Bool) {
    if old.name != new.name {
      if isNameFree { lose(code: nil, name: old.name) }
      let rest =
        old.name.lowercased() == new.name.lowercased()
        ? "Requests may write it either way."
        : "Requests that name \(old.name) are refused. What says \(new.code) is \(new.name) from now on, also what waits and was sent before."
      add(.typeRenamed, new.name, "Type \(old.label) is called \(new.name). \(rest)")
    }
    let words = Self.words(old.aspects, new.aspects)
    if !words.isEmpty {
      let moved =
        old.category == new.category
        ? "" : " What people chose for the category \(old.category) does not count for it any more."
      add(.typeChanged, new.name, "Of type \(new.label), \(words).\(moved)")
    }
    compareVariables(old, new)
    compareTexts(new.name, "Type \(new.label)", old.template, new.template)
    if let former = old.digest, let digest = new.digest {
      compareTexts(new.name, "The digest of type \(new.label)", former.texts, digest.texts)
    }
    for action in new.actions {
      guard let former = old.actions.first(where: { $0.id == action.id }) else { continue }
      compare(
        texts: former.title.values,
        action.title.values,
        new.name,
        "Of type \(new.label), the button \(action.id)"
      )
    }
    for (former, current) in zip(MailTexts.sources(of: old.mailTexts), MailTexts.sources(of: new.mailTexts)) {
      compare(texts: former.texts, current.texts, new.name, "Type \(new.label), \(current.name)")
    }
  }

  private mutating func compareVariables(_ old: NotificationType, _ new: NotificationType) {
    let (before, after) = (Set(old.template.missing(in: [:])), Set(new.template.missing(in: [:])))
    for name in after.subtracting(before).sorted() {
      add(.variableRequired, new.name, "Type \(new.label) needs '\(name)': requests without it are refused.")
    }
    for name in before.subtracting(after).sorted() {
      add(.variableNoLongerRequired, new.name, "Type \(new.label) does without '\(name)': requests need not give it.")
    }
  }

  // MARK: Texts

  /// - Parameter subject: Whose texts these are, as a sentence begins.
  mutating func compareTexts(_ name: String, _ subject: String, _ old: LocalizedTemplate, _ new: LocalizedTemplate) {
    for (field, part) in [("title", \NotificationTemplate.title), ("body", \NotificationTemplate.body)] {
      compare(
        texts: old.templates.values.mapValues { $0[keyPath: part].source },
        new.templates.values.mapValues { $0[keyPath: part].source },
        name,
        "\(subject), \(field)"
      )
    }
  }

  /// - Parameter texts: By locale.
  mutating func compare(texts old: [String: String], _ new: [String: String], _ name: String, _ subject: String) {
    for locale in Set(old.keys).union(new.keys).sorted() where old[locale] != new[locale] {
      let text =
        switch (old[locale], new[locale]) {
        case (let before?, let after?): "'\(Self.cut(after))' instead of '\(Self.cut(before))'"
        case (nil, let after?): "'\(Self.cut(after))', which is new"
        case (let before?, nil): "no text any more; it was '\(Self.cut(before))'. Its readers get the default locale's"
        case (nil, nil): ""
        }
      add(.textChanged, name, "\(subject) in \(locale): \(text).")
    }
  }

  private static func cut(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 160 ? "\(line.prefix(159))…" : line
  }

  // MARK: Defaults

  /// Types of one category whose defaults flip alike are one change.
  mutating func compareFlips(_ old: Catalogue, _ new: Catalogue) {
    let types = Self.pairs(old.types, new.types) { String($0.code) }.both
    for channel in new.channels {
      for isOn in [true, false] {
        let flipped = types.filter { before, after in
          (after.channels[channel.channel] ?? false) == isOn && (before.channels[channel.channel] ?? false) != isOn
        }.map(\.new)
        for category in new.categoryNames {
          let types = flipped.filter { $0.category == category }
          guard let first = types.first else { continue }
          let subject =
            types.count == 1
            ? "Type \(first.label)" : "Types \(Self.listed(types.map(\.name))) of the category \(category)"
          let (state, former) = isOn ? ("on", "off") : ("off", "on")
          flip(
            category,
            types,
            channel.channel,
            name: types.count == 1 ? first.name : category,
            "\(subject): \(channel.label) is \(state) instead of \(former) for people who made no choice."
          )
        }
      }
    }
  }
}

extension NotificationType {
  /// `900 DinnerIsReady`
  fileprivate var label: String { "\(code) \(name)" }

  /// What it does, each part in words. Channels and texts apart.
  fileprivate var aspects: [(name: String, value: String)] {
    [
      ("the category", category),
      ("the priority", priority.rawValue),
      ("the time to live", spoken(seconds: timeToLive)),
      ("what quiet hours do", quietHours.rawValue),
      ("the wait", Self.none(waits.entries.map { "\($0.channel.label) after \(spoken(seconds: $0.value))" })),
      (
        "the digest",
        digest.map { "\($0.channel.label) each \(spoken(seconds: $0.every))\(Self.words(of: $0.key))" } ?? "none"
      ),
      ("the throttle", throttle.map(Self.words) ?? "none"),
      ("the longest body", maximumBodyLength.map { "\($0) characters" } ?? "any"),
      ("the list of buttons", Self.none(actions.map(\.id))),
      (
        "where buttons lead",
        Self.none(actions.compactMap { action in action.link.map { "\(action.id) to \($0.source)" } })
      ),
      ("the sound", sound),
      ("its content to the service extension", isMutable ? "mutable" : "final"),
      ("what travels of the data", payload.map(Self.none) ?? "all"),
      ("what Android apps get", android.rawValue),
      ("Firebase's label", analyticsLabel ?? "none"),
    ]
  }

  private static func none(_ words: [String]) -> String { words.isEmpty ? "none" : words.joined(separator: ", ") }

  private static func words(_ throttle: Throttle) -> String {
    "at most \(throttle.atMost) in \(spoken(seconds: throttle.per))\(words(of: throttle.key)), the rest \(throttle.then == .hold ? "held" : "dropped")"
  }

  private static func words(of key: NotificationTemplate.Part?) -> String {
    key.map { " for each \($0.source)" } ?? ""
  }
}
