public import Foundation
import JSON

extension Rule {
  /// The names that an event lacks and its rule wants: of which member, and of whom.
  ///
  /// Whoever evaluates looks them up and adds them (``RuleEvent/adding(_:)``); what nobody knows stays absent.
  public func missingNames(of event: RuleEvent) -> [(member: String, user: UUID)] {
    names.sorted { $0.key < $1.key }.compactMap { member, path in
      if let name = event.payload[member]?.string, !name.isEmpty { return nil }
      guard let user = path.value(in: event.payload)?.string.flatMap(UUID.init(exactly:)) else { return nil }
      return (member, user)
    }
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
