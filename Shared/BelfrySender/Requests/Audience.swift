/// Whom a send or a schedule is for: of one kind, by construction.
public struct Audience: Sendable, Equatable {
  enum Kind: Equatable {
    case users([String], except: [String])
    case group(String, except: [String])
    case everyone(except: [String])
    case topic(String)
    case condition(String)
  }

  let kind: Kind

  /// 1 to 1,000 users by your own ids, of 1 to 128 characters each; UUIDs in either case.
  public static func users(_ ids: [String], except: [String] = []) -> Self { Self(kind: .users(ids, except: except)) }

  /// One user.
  public static func user(_ id: String) -> Self { .users([id]) }

  /// The members that a group has when the send is routed.
  ///
  /// - Parameter except: At most 1,000.
  public static func group(_ id: String, except: [String] = []) -> Self { Self(kind: .group(id, except: except)) }

  /// All who have a profile when the send is routed.
  ///
  /// - Parameter except: At most 1,000.
  public static func everyone(except: [String] = []) -> Self { Self(kind: .everyone(except: except)) }

  /// The devices that FCM has subscribed to a topic: pushes alone, and preferences do not apply.
  public static func topic(_ name: String) -> Self { Self(kind: .topic(name)) }

  /// The same of up to five topics: `'news' in topics && 'berlin' in topics`.
  public static func condition(_ condition: String) -> Self { Self(kind: .condition(condition)) }

  var isTopic: Bool {
    switch kind {
    case .users, .group, .everyone: false
    case .topic, .condition: true
    }
  }

  func node(_ field: String, _ checks: inout FieldChecks) -> JSONNode {
    switch kind {
    case .users(let ids, let except):
      return .object(["users": checks.users(ids, "\(field).users", 1...1_000)] + Self.except(except, field, &checks))
    case .group(let id, let except):
      return .object(["group": checks.name(id, "\(field).group", limit: 128)] + Self.except(except, field, &checks))
    case .everyone(let except):
      return .object(["everyone": .boolean(true)] + Self.except(except, field, &checks))
    case .topic(let name):
      let isOfTopic = name.utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
          || "-_.~%".unicodeScalars.contains(scalar)
      }
      if !(1...900).contains(name.utf8.count) || !isOfTopic {
        checks.problem("\(field).topic", "expected 1 to 900 letters, digits and the characters - _ . ~ %")
      }
      return .object(["topic": .text(name)])
    case .condition(let condition):
      if !condition.contains("' in topics") {
        checks.problem("\(field).condition", "expected terms such as 'news' in topics")
      }
      return .object(["condition": checks.name(condition, "\(field).condition", limit: 5_000)])
    }
  }

  static func except(_ ids: [String], _ field: String, _ checks: inout FieldChecks) -> [String: JSONNode] {
    ids.isEmpty ? [:] : ["except": checks.users(ids, "\(field).except", 0...1_000)]
  }
}

/// Whose open connections get an event.
public struct EventAudience: Sendable, Equatable {
  let audience: Audience

  /// 1 to 1,000 users by your own ids.
  public static func users(_ ids: [String], except: [String] = []) -> Self {
    Self(audience: .users(ids, except: except))
  }

  /// The members that a group has when the event is relayed.
  public static func group(_ id: String, except: [String] = []) -> Self {
    Self(audience: .group(id, except: except))
  }
}

extension [String: JSONNode] {
  /// Members of both; they have no name in common.
  static func + (left: Self, right: Self) -> Self { left.merging(right) { first, _ in first } }
}
