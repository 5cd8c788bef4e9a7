/// What a user chose, as it is stored: no row, and no channel of a row, where nothing was chosen.
public struct PreferenceRows: Sendable, Equatable {
  /// By the type's code.
  public var types: [Int: ChannelChoices]
  /// By the category's name.
  public var categories: [String: ChannelChoices]

  public init(types: [Int: ChannelChoices] = [:], categories: [String: ChannelChoices] = [:]) {
    self.types = types
    self.categories = categories
  }

  /// What holds for a type: its own choice, else its category's, else the catalogue's.
  public func effective(_ type: NotificationType) -> ChannelChoices {
    (types[type.code] ?? ChannelChoices()).filled(with: base(type))
  }

  /// What would hold for a type without a choice of its own.
  public func base(_ type: NotificationType) -> ChannelChoices {
    (categories[type.category] ?? ChannelChoices()).filled(with: ChannelChoices(type.channels))
  }

  /// What is shown for a category: a channel is on if any of its types has it on, so off means off for all of them.
  ///
  /// - Returns: That, and the channels on which its types differ.
  public func shown(
    category: String,
    among types: some Sequence<NotificationType>
  ) -> (choices: ChannelChoices, mixed: [Channel]) {
    var (any, all) = (ChannelChoices(), ChannelChoices())
    for type in types where type.category == category {
      let choices = effective(type)
      for channel in choices.channels {
        any[channel] = any[channel] == true || choices[channel] == true
        all[channel] = all[channel] != false && choices[channel] == true
      }
    }
    return (any, any.channels.filter { any[$0] != all[$0] })
  }

  /// What was chosen for a category: its own choice, else whether the catalogue has any of its types on.
  public func chosen(category: String, among types: some Sequence<NotificationType>) -> ChannelChoices {
    (categories[category] ?? ChannelChoices()).filled(with: Self.defaults(of: category, among: types))
  }

  private static func defaults(
    of category: String,
    among types: some Sequence<NotificationType>
  ) -> ChannelChoices {
    var result = ChannelChoices()
    for type in types where type.category == category {
      for entry in type.channels.entries { result[entry.channel] = entry.value || result[entry.channel] == true }
    }
    return result
  }
}

/// What must be written and deleted to make rows of others.
public struct PreferenceChange: Sendable, Equatable {
  /// To write, whole rows.
  public var written = PreferenceRows()
  /// To delete, by the type's code.
  public var deletedTypes: Set<Int> = []
  /// To delete, by the category's name.
  public var deletedCategories: Set<String> = []

  public var isEmpty: Bool { self == PreferenceChange() }

  public init(from former: PreferenceRows, to rows: PreferenceRows) {
    (written.types, deletedTypes) = Self.difference(former.types, rows.types)
    (written.categories, deletedCategories) = Self.difference(former.categories, rows.categories)
  }

  private init() {}

  private static func difference<Key>(
    _ former: [Key: ChannelChoices],
    _ rows: [Key: ChannelChoices]
  ) -> (written: [Key: ChannelChoices], deleted: Set<Key>) {
    let kept = rows.filter { !$0.value.isEmpty }
    return (kept.filter { former[$0.key] != $0.value }, Set(former.keys).subtracting(kept.keys))
  }
}
