/// What one catalogue does otherwise than another, for the operator who puts it in the other's place. Pure.
public struct CatalogueDifference: Sendable {
  /// In the order types, categories, events, rules, schedule templates, settings.
  public private(set) var changes: [CatalogueChange] = []
  /// The defaults that flip, each with its change.
  public private(set) var flips: [DefaultFlip] = []
  /// What types are not called any more, each with its change.
  public private(set) var lost: [LostNames] = []
  /// The names of types that are new, by their codes.
  public internal(set) var added: [Int: String] = [:]

  /// What holds for people who chose nothing, and now is the opposite.
  public struct DefaultFlip: Sendable, Equatable {
    /// Whose choices count for these types, beside those for each of them.
    public let category: String
    /// Codes, ascending.
    public let types: [Int]
    public let channel: Channel
    /// The place of its change in ``CatalogueDifference/changes``.
    let place: Int
  }

  /// What requests and schedules call a type, and no more.
  public struct LostNames: Sendable, Equatable {
    /// Nil where the code is understood as before.
    public let code: Int?
    /// Nil where the name is another type's now.
    public let name: String?
    /// The place of its change in ``CatalogueDifference/changes``.
    let place: Int
  }

  /// How many stored schedules name a type by what it is not called any more.
  public struct Stopped: Sendable, Equatable {
    public var count: Int
    /// Whether all schedules were looked at.
    public var isAll: Bool

    public init(count: Int, isAll: Bool) {
      self.count = count
      self.isAll = isAll
    }

    /// Nil where nothing stops.
    var words: String? {
      guard count > 0 else { return nil }
      let number = isAll ? "\(count)" : "At least \(count)"
      return
        "\(number) stored \(count == 1 ? "schedule of it sends" : "schedules of it send") nothing until it is back or they are put anew."
    }
  }

  /// A type that an earlier catalogue had.
  public struct FormerType: Sendable, Equatable {
    public var code: Int
    public var name: String
    /// The version that was the first without it.
    public var goneSince: Int

    public init(code: Int, name: String, goneSince: Int) {
      (self.code, self.name, self.goneSince) = (code, name, goneSince)
    }
  }

  /// How many people made no choice, so that a default counts for them.
  public struct Undecided: Sendable, Equatable {
    public var count: Int
    /// Of how many: of people who have a profile.
    public var people: Int
    /// Whether these are all who have one; otherwise they are those with the lowest ids.
    public var isAll: Bool

    public init(count: Int, people: Int, isAll: Bool) {
      self.count = count
      self.people = people
      self.isAll = isAll
    }

    var words: String {
      guard people > 0 else { return "Nobody has a profile yet: it counts for everybody who made no choice." }
      guard !isAll else { return "\(count) of \(people) people made no choice." }
      let share = Int((Double(count) * 100 / Double(people)).rounded())
      return "Of the \(people) people with the lowest ids, \(share) % made no choice; there are more."
    }
  }

  public init(from old: Catalogue, to new: Catalogue) {
    if old.defaults.locale != new.defaults.locale {
      add(
        .localeChanged,
        "defaultLocale",
        "The default locale is \(new.defaults.locale) instead of \(old.defaults.locale)."
      )
    }
    if old.defaults.currency != new.defaults.currency {
      add(
        .currencyChanged,
        "currency",
        "Amounts whose data names no currency are in \(new.defaults.currency) instead of \(old.defaults.currency)."
      )
    }
    compareTypes(old, new)
    compareTexts("composition", "What several notifications say as one", old.composition, new.composition)
    compareLayouts(old.mailLayout, new.mailLayout)
    compareFlips(old, new)
    compareCategories(old, new)
    compareEvents(old, new)
    compareRules(old, new)
    compareSchedules(old, new)
    compareSettings(old, new)
  }

  mutating func add(_ kind: CatalogueChange.Kind, _ name: String, _ text: String) {
    changes.append(CatalogueChange(kind: kind, name: name, text: text))
  }

  mutating func flip(_ category: String, _ types: [NotificationType], _ channel: Channel, name: String, _ text: String)
  {
    flips.append(
      DefaultFlip(category: category, types: types.map(\.code).sorted(), channel: channel, place: changes.count)
    )
    add(.defaultChanged, name, text)
  }

  /// The change that follows is about this.
  mutating func lose(code: Int?, name: String?) {
    lost.append(LostNames(code: code, name: name, place: changes.count))
  }

  /// As many changes as one reads at most: the last of more says how many there are beside.
  public static let maximumCount = 1_000

  /// The changes, those of defaults with the people for whom they count, and those of types with the schedules that stop.
  ///
  /// - Parameters:
  ///   - undecided: For the first of ``flips``, in their order; those beyond were not counted.
  ///   - stopped: The same for ``lost``.
  public func changes(counting undecided: [Undecided], _ stopped: [Stopped] = []) -> [CatalogueChange] {
    var changes = changes
    for (flip, undecided) in zip(flips, undecided) { changes[flip.place].text += " \(undecided.words)" }
    for (lost, stopped) in zip(lost, stopped) {
      if let words = stopped.words { changes[lost.place].text += " \(words)" }
    }
    guard changes.count > Self.maximumCount else { return changes }
    let rest = changes.count - Self.maximumCount + 1
    return changes.prefix(Self.maximumCount - 1) + [
      CatalogueChange(kind: .otherChanged, name: "", text: "There are \(rest) changes beside these.")
    ]
  }
}

extension CatalogueDifference {
  /// Entries of both by name: those that are gone, those that are new, and those that are in both.
  static func pairs<Entry>(
    _ old: [Entry],
    _ new: [Entry],
    by name: (Entry) -> String
  ) -> (gone: [Entry], added: [Entry], both: [(old: Entry, new: Entry)]) {
    let former = Dictionary(old.map { (name($0), $0) }) { $1 }
    let names = Set(new.map(name))
    return (
      old.filter { !names.contains(name($0)) },
      new.filter { former[name($0)] == nil },
      new.compactMap { entry in former[name(entry)].map { ($0, entry) } }
    )
  }

  /// `priority is high instead of normal, sound is knock.caf instead of default`; empty where all are the same.
  static func words(_ old: [(name: String, value: String)], _ new: [(name: String, value: String)]) -> String {
    zip(old, new).filter { $0.value != $1.value }.map { "\($1.name) is \($1.value) instead of \($0.value)" }
      .joined(separator: ", ")
  }

  /// `a, b and c`; of more than six the first five.
  static func listed(_ names: [String]) -> String {
    guard names.count > 1 else { return names.first ?? "" }
    if names.count > 6 { return names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) more" }
    return names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }
}
