import UserIdentity

extension Audience {
  /// The audience in a required field; nil after a problem.
  ///
  /// - Parameters:
  ///   - allowsEveryone: Whether it may be all there are.
  ///   - contested: Takes the users' ids that another may stand for as well.
  static func read(
    _ name: String,
    of reader: FieldReader,
    allowsEveryone: Bool = true,
    contested: inout [UserIdentifier]
  ) -> Audience? {
    guard reader.isPresent(name) else {
      reader.problem(name, "is required")
      return nil
    }
    return reader.object(name) { read($0, allowsEveryone: allowsEveryone, &contested) }
  }

  /// Made once, not for every send.
  private static let fields: Set = ["users", "group", "except", "everyone", "topic"]

  private static func read(
    _ reader: FieldReader,
    allowsEveryone: Bool,
    _ contested: inout [UserIdentifier]
  ) -> Audience? {
    reader.refuseUnknown(known: fields)
    let isForEveryone = reader.optional("everyone", Bool.self, expected: "true or false") == true
    if reader.isPresent("topic") { reader.problem("topic", "topics are not available yet; use users or group") }
    let users = reader.users("users", limit: 1_000, contested: &contested)
    let group = reader.text("group", limit: 128)
    let except = reader.users("except", limit: 1_000, contested: &contested)
    if isForEveryone {
      if !allowsEveryone { reader.problem("everyone", "is for sends only; use users or group") }
      for name in ["users", "group"] where reader.isPresent(name) {
        reader.problem(name, "give one of users, group and everyone, not several")
      }
      return .everyone(except: Set(except ?? []))
    }
    switch (users, group) {
    case (let users?, nil):
      if users.isEmpty { reader.problem("users", "must not be empty") }
      return .users(users.filter { !(except ?? []).contains($0) })
    case (nil, let group?):
      if group.isEmpty { reader.problem("group", "must not be empty") }
      return .group(group, except: Set(except ?? []))
    case (.some, .some):
      reader.problem("group", "give either users or group, not both")
    case (nil, nil):
      if !reader.isPresent("users"), !reader.isPresent("group") {
        reader.problem("users", allowsEveryone ? "is required, or group, or everyone" : "is required, or group")
      }
    }
    return nil
  }
}
