import NotificationModel

/// Choices as a request lists them: for names that the catalogue has, or has not, in the request's order.
struct PreferenceItems<Name: Sendable>: Sendable {
  /// Names of more than these get no advice on what was meant.
  static var advised: Int { 10 }

  /// The member of the request that lists them.
  let list: String
  /// The member of each that has its name.
  let member: String
  let items: [(name: Name, choices: ChannelChoices)]

  /// The choices by what the catalogue calls each. One that is listed twice has what both say, which must not differ.
  ///
  /// - Parameters:
  ///   - errors: Gets what is wrong with each.
  ///   - find: Nil for a name that the catalogue does not have.
  ///   - unknown: What is said of such a name.
  func choices<Key: Hashable>(
    errors: inout [FieldError],
    _ find: (Name) -> Key?,
    unknown: (_ name: Name, _ isAdvised: Bool) -> String
  ) -> [Key: ChannelChoices] {
    var found: [Key: (index: Int, choices: ChannelChoices)] = [:]
    for (index, item) in items.enumerated() {
      guard let key = find(item.name) else {
        errors.append(FieldError("\(list)[\(index)].\(member)", unknown(item.name, errors.count < Self.advised)))
        continue
      }
      guard let former = found[key] else {
        found[key] = (index, item.choices)
        continue
      }
      let contradicted = item.choices.channels.contains {
        former.choices[$0] != nil && former.choices[$0] != item.choices[$0]
      }
      if contradicted {
        errors.append(FieldError("\(list)[\(index)]", "contradicts \(list)[\(former.index)], which is about the same"))
      }
      found[key] = (former.index, item.choices.filled(with: former.choices))
    }
    return found.mapValues(\.choices)
  }
}
