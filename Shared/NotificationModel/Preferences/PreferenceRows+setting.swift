extension PreferenceRows {
  /// The rows after a user put choices, in whole or in part.
  ///
  /// What equals what is shown is no choice, so an app that puts back the whole list freezes nothing: a later change of the
  /// catalogue still reaches its user. In this order:
  ///
  /// 1. A category's value is a choice if it differs from what was shown, or if the request names none of its types: then it
  ///    clears the choices of its types on that channel. It is stored unless the catalogue says the same of all of them.
  /// 2. A type's value is a choice if it differs from what held for it. It is stored unless it would hold anyway by now. What
  ///    was put back follows its category.
  ///
  /// - Parameters:
  ///   - requested: What the request names. Types and categories that the catalogue does not have are left out.
  ///   - catalogue: All types.
  public func setting(_ requested: PreferenceRows, in catalogue: [NotificationType]) -> PreferenceRows {
    var rows = self
    for (category, choices) in requested.categories {
      let types = catalogue.filter { $0.category == category }
      guard !types.isEmpty else { continue }
      let shown = shown(category: category, among: types).choices
      for channel in choices.channels {
        let isListed = types.contains { requested.types[$0.code]?[channel] != nil }
        guard !isListed || choices[channel] != shown[channel] else { continue }
        rows.set(category, channel, choices[channel], types)
      }
    }
    for type in catalogue {
      guard let choices = requested.types[type.code] else { continue }
      let (former, base) = (effective(type), rows.base(type))
      var own = rows.types[type.code] ?? ChannelChoices()
      for channel in choices.channels {
        if choices[channel] != former[channel] { own[channel] = choices[channel] }
        if own[channel] == base[channel] { own[channel] = nil }
      }
      rows.types[type.code] = own.isEmpty ? nil : own
    }
    return rows
  }

  private mutating func set(_ category: String, _ channel: Channel, _ value: Bool?, _ members: [NotificationType]) {
    var own = categories[category] ?? ChannelChoices()
    own[channel] = members.allSatisfy { $0.channels[channel] == value } ? nil : value
    categories[category] = own.isEmpty ? nil : own
    for type in members {
      types[type.code]?[channel] = nil
      if types[type.code]?.isEmpty == true { types[type.code] = nil }
    }
  }
}
