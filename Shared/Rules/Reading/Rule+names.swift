public import BelfryJSON
public import UserIdentity

extension Rule {
  /// The names that an event lacks and its rule wants: of which member, and of whom.
  ///
  /// Whoever evaluates looks them up and adds them (``RuleEvent/adding(_:)``); what nobody knows stays absent.
  public func missingNames(of event: RuleEvent) -> [(member: String, user: UserIdentifier)] {
    missingNames(in: event.payload)
  }

  private func missingNames(in payload: JSONValue) -> [(member: String, user: UserIdentifier)] {
    names.sorted { $0.key < $1.key }.compactMap { member, path in
      if let name = payload[member]?.string, !name.isEmpty { return nil }
      guard let user = path.value(in: payload)?.string.flatMap(UserIdentifier.init) else { return nil }
      return (member, user)
    }
  }

  /// The payload's members that have to name people, as far as a member alone does.
  public var membersOfPeople: [String] {
    var templates = user.map { [$0] } ?? []
    for plan in notices.all {
      switch plan.to {
      case nil: break
      case .users(let users)?: templates += users
      case .group(_, let except)?: templates += except
      }
    }
    return templates.compactMap(\.bare).filter { !$0.isOptional }.map { "\($0.path)" }
  }

  /// The people of an event whose identifiers another may stand for as well: whom the rule is about, whose names it wants, and whom its
  /// notices are for, of whom some may hear of it only later. What cannot be read is refused where the event is evaluated.
  public func contestableUsers(in payload: JSONValue) -> [UserIdentifier] {
    var users = missingNames(in: payload).map(\.user)
    if let subject = try? subject(in: payload) { users.append(subject) }
    let variables = variables(of: payload)
    for plan in notices.all where plan.to != nil { users += (try? plan.identifiers(variables)) ?? [] }
    return users.filter(\.isContestable)
  }
}

extension RuleEvent {
  /// The event with further texts in its payload, stronger than those it has.
  public func adding(_ texts: [String: String]) -> RuleEvent {
    let kept = (payload.members ?? []).filter { texts[$0.name] == nil }
    let added = texts.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }
    return RuleEvent(self, payload: .object(kept + added))
  }
}
