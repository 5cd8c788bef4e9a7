extension Audience {
  /// The audience in a required field; nil after a problem.
  static func read(_ name: String, of reader: FieldReader) -> Audience? {
    guard reader.isPresent(name) else {
      reader.problem(name, "is required")
      return nil
    }
    return reader.object(name, read)
  }

  /// Made once, not for every send.
  private static let fields: Set = ["users", "group", "except", "everyone", "topic"]

  private static func read(_ reader: FieldReader) -> Audience? {
    reader.refuseUnknown(known: fields)
    if reader.optional("everyone", Bool.self, expected: "true or false") == true {
      reader.problem("everyone", "sending to everyone is not available yet; use users or group")
    }
    if reader.isPresent("topic") { reader.problem("topic", "topics are not available yet; use users or group") }
    let users: [UserID]? = reader.identifiers("users", limit: 1_000)
    let group = reader.text("group", limit: 128)
    let except: [UserID]? = reader.identifiers("except", limit: 1_000)
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
        reader.problem("users", "is required, or group")
      }
    }
    return nil
  }
}
