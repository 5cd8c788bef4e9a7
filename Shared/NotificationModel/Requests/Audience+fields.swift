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
  private static let fields: Set = ["users", "group", "except", "everyone", "topic", "condition"]

  private static func read(
    _ reader: FieldReader,
    allowsEveryone: Bool,
    _ contested: inout [UserIdentifier]
  ) -> Audience? {
    reader.refuseUnknown(known: fields)
    let isForEveryone = reader.optional("everyone", Bool.self, expected: "true or false") == true
    if reader.isPresent("topic") || reader.isPresent("condition") {
      return topic(reader, isForEveryone: isForEveryone, isAllowed: allowsEveryone)
    }
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

  /// What FCM delivers by its own list. It stands alone: FCM leaves nobody out.
  private static func topic(_ reader: FieldReader, isForEveryone: Bool, isAllowed: Bool) -> Audience? {
    let kind: PushAudience = reader.isPresent("topic") ? .topic : .condition
    let name = kind.rawValue
    guard isAllowed else {
      reader.problem(name, "is for sends only; use users or group")
      return nil
    }
    let others = ["users", "group", "except", "condition"].filter { $0 != name && reader.isPresent($0) }
    for other in others + (isForEveryone ? ["everyone"] : []) { reader.problem(other, "give it or \(name), not both") }
    if let push = reader.routing.first(where: { $0.channel == .push }), push.providers?.carriers.contains(.fcm) != true
    {
      reader.problem(name, "is FCM's, through which this deployment does not push (BELFRY_PUSH_PROVIDERS)")
    }
    guard let text = reader.optional(name, String.self, expected: "a string") else { return nil }
    do throws(TopicError) {
      switch kind {
      case .topic: return .topic(try TopicAudience(topic: text))
      case .condition: return .topic(try TopicAudience(condition: text))
      }
    } catch {
      reader.problem(name, error.description)
      return nil
    }
  }
}
