public import BelfryJSON
import UserIdentity

/// A send, or a schedule, as it is kept: whoever rewrites or answers it finds people by their UUIDs.
extension JSONValue {
  /// The same with UUIDs in place of other ids in `to`; itself where it has none.
  public var withUserIDs: JSONValue {
    withAudience { text in
      guard let identifier = UserIdentifier(text), identifier.text != nil else { return nil }
      return UserID(identifier.uuid).description
    }
  }

  /// Those in `to` that may stand for other texts.
  public var usersOfVersion5: [UserID] {
    var users: [UserID] = []
    _ = withAudience { text in
      if let user = UserID(text), user.uuid.isVersion5 { users.append(user) }
      return nil
    }
    return users
  }

  /// The same with other texts for users in `to`.
  ///
  /// - Parameter replacement: Nil leaves one as it is.
  public func withAudience(_ replacement: (String) -> String?) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        guard member.name == "to", case .object(let audience) = member.value else { return member }
        let fields = audience.map { field in
          guard ["users", "except"].contains(field.name), case .array(let people) = field.value else { return field }
          let replaced = people.map { person in
            person.string.flatMap(replacement).map { JSONValue.string($0) } ?? person
          }
          return JSONMember(name: field.name, value: .array(replaced), range: field.range)
        }
        return JSONMember(name: member.name, value: .object(fields), range: member.range)
      }
    )
  }
}
