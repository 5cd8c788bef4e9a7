public import UserIdentity

/// Users' ids: UUIDs, and any other texts.
extension FieldReader {
  /// A list of at most `limit` users without repetitions; nil if absent.
  ///
  /// - Parameter contested: Takes the ids that another may stand for as well.
  public func users(_ name: String, limit: Int, contested: inout [UserIdentifier]) -> [UserID]? {
    guard let texts = optional(name, [String].self, expected: "a list of user ids") else { return nil }
    if texts.count > limit { problem(name, "has \(texts.count) entries; at most \(limit) are allowed") }
    var seen = Set<UserID>()
    var users: [UserID] = []
    for (index, text) in texts.prefix(limit).enumerated() {
      guard let identifier = UserIdentifier(text) else {
        problem("\(name)[\(index)]", "expected \(UserIdentifier.expectation)")
        continue
      }
      // Also of who is there already: by another id, perhaps.
      if identifier.isContestable { contested.append(identifier) }
      let user = UserID(identifier.uuid)
      if seen.insert(user).inserted { users.append(user) }
    }
    // Without a single id in it the list is of no use, yet not empty either.
    return users.isEmpty && !texts.isEmpty ? nil : users
  }

  /// The user in a required field; nil after a problem.
  public func requiredUser(_ name: String) -> UserIdentifier? {
    guard let text = required(name, String.self, expected: UserIdentifier.expectation) else { return nil }
    let identifier = UserIdentifier(text)
    if identifier == nil { problem(name, "expected \(UserIdentifier.expectation)") }
    return identifier
  }
}
