import Foundation
import BelfryJSON
import NotificationModel
import Rules
import UserIdentity

/// An event that some rule looks at.
struct UnidentifiedEvent {
  var type: EventType
  var payload: JSONValue
  /// Nil if it is that of the intake.
  var occurredAt: Date?
  /// Nil where it is not relayed.
  var relay: RelayedEvent?
  /// The audience's ids that others may stand for as well.
  var contestedUsers: [UserIdentifier]

  init(_ report: EventReport, type: EventType) {
    self.type = type
    payload = report.payload
    occurredAt = report.occurredAt
    relay = RelayedEvent(report, type: type)
    contestedUsers = report.contestedUsers
  }

  /// As the rules see it, once it has its id: a UUIDv7, whose time is that of the intake.
  ///
  /// - Throws: ``RuleRefusal``, where it cannot be evaluated at all.
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

/// An event that some rule looks at, under its id.
struct IdentifiedEvent {
  var event: RuleEvent
  /// Nil where it is not relayed.
  var relay: RelayedEvent?
}
