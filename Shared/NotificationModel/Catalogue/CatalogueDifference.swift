/// What one catalogue does otherwise than another, for the operator who puts it in the other's place. Pure.
public struct CatalogueDifference: Sendable {
  /// In the order types, categories, events, rules, schedule templates, settings.
  public private(set) var changes: [CatalogueChange] = []
  /// The defaults that flip, each with its change.
  public private(set) var flips: [DefaultFlip] = []
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
    /// Of how many.
    public var people: Int
    /// Whether these are all the people there are; otherwise they stand for the rest.
    public var isAll: Bool

    public init(count: Int, people: Int, isAll: Bool) {
      self.count = count
      self.people = people
      self.isAll = isAll
    }

    var words: String {
      guard people > 0 else { return "There is nobody yet for whom it counts." }
      guard !isAll else { return "\(count) of \(people) people made no choice." }
      return "About \(Int((Double(count) * 100 / Double(people)).rounded())) % of all people made no choice."
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

  /// As many changes as one reads at most: the last of more says how many there are beside.
  public static let maximumCount = 1_000

  /// The changes, those of defaults with the people for whom they count.
  ///
  /// - Parameter undecided: For the first of ``flips``, in their order; those beyond were not counted.
  public func changes(counting undecided: [Undecided]) -> [CatalogueChange] {
    var changes = changes
    for (flip, undecided) in zip(flips, undecided) {
      let change = changes[flip.place]
      changes[flip.place] = CatalogueChange(
        kind: change.kind,
        name: change.name,
        text: "\(change.text) \(undecided.words)"
      )
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
