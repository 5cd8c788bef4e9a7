import Foundation
import JSON
import NotificationModel
import Rules

/// An event that some rule looks at.
struct ReportedEvent {
  /// How a repetition of it is known.
  enum Identity {
    /// It has its id, from the gateway or from a router.
    case known(RequestID)
    /// Its id depends on its sender's message-id, which is looked up.
    case keyed(scope: String, key: String)
    /// It came without any: it is stamped with one and put back.
    case anonymous
  }

  var identity: Identity
  var type: EventType
  var payload: JSONValue
  /// Nil if it is that of the intake.
  var occurredAt: Date?
  /// Nil where it is not relayed.
  var relay: RelayedEvent?

  init(_ report: EventReport, type: EventType, identity: Identity) {
    self.identity = identity
    self.type = type
    payload = report.payload
    occurredAt = report.occurredAt
    relay = RelayedEvent(report, type: type)
  }

  /// As the rules see it, once it has its id: a UUIDv7, whose time is that of the intake.
  ///
  /// - Throws: ``RuleRefusal``, where it cannot be judged at all.
  func event(_ id: RequestID) throws(RuleRefusal) -> RuleEvent {
    let intake = id.time ?? Date(timeIntervalSince1970: 0)
    return try RuleEvent(
      id: id.description,
      name: type.name,
      payload: payload,
      intake: intake,
      occurredAt: occurredAt ?? intake
    )
  }
}
