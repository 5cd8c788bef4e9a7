/// What was chosen for a category and its types on one channel before somebody unsubscribed from it, so that it can be taken back.
public struct FormerChoices: Sendable, Equatable {
  /// The category's own; nil where none was made.
  public var category: Bool?
  /// Of those types that had one, by code.
  public var types: [Int: Bool]

  public init(category: Bool? = nil, types: [Int: Bool] = [:]) {
    self.category = category
    self.types = types
  }
}

extension PreferenceRows {
  /// Whether any type of a category is on. Of a category without types, which the catalogue may have lost, its own choice counts.
  public func isOn(_ category: String, on channel: Channel, among types: some Sequence<NotificationType>) -> Bool {
    shown(category: category, among: types).choices[channel] ?? (categories[category]?[channel] != false)
  }

  /// Switches a channel off for a category and all its types.
  ///
  /// Off is stored as a choice even where the catalogue says the same: a later catalogue, which switches the category on, must not reach
  /// who unsubscribed. (What is set in an app and equals the catalogue is none: ``setting(_:in:)``.)
  ///
  /// - Parameter catalogue: All types.
  /// - Returns: What was chosen before; nil if it was off by choice already, and nothing has changed.
  public mutating func unsubscribe(
    from category: String,
    on channel: Channel,
    among catalogue: some Sequence<NotificationType>
  ) -> FormerChoices? {
    var former = FormerChoices(category: categories[category]?[channel])
    for type in catalogue where type.category == category {
      if let choice = types[type.code]?[channel] { former.types[type.code] = choice }
    }
    guard former.category != false || former.types.values.contains(true) else { return nil }
    categories[category, default: ChannelChoices()][channel] = false
    for code in former.types.keys { choose(nil, of: code, on: channel) }
    return former
  }

  /// Takes ``unsubscribe(from:on:among:)`` back. What was chosen since stays: the category, if it is not off any more, and each type with
  /// a choice of its own.
  public mutating func resubscribe(to category: String, on channel: Channel, as former: FormerChoices) {
    if categories[category]?[channel] == false {
      categories[category]?[channel] = former.category
      if categories[category]?.isEmpty == true { categories[category] = nil }
    }
    for (code, choice) in former.types where types[code]?[channel] == nil { choose(choice, of: code, on: channel) }
  }

  private mutating func choose(_ choice: Bool?, of code: Int, on channel: Channel) {
    var own = types[code] ?? ChannelChoices()
    own[channel] = choice
    types[code] = own.isEmpty ? nil : own
  }
}
