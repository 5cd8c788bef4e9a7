import BelfryJSON
import NotificationModel
import UserIdentity

/// An event that the catalogue knows, for an audience that is still to be expanded.
struct RelayedEvent {
  var type: EventType
  var payload: JSONValue
  var payloadSize: Int
  var audience: Audience
  /// The audience's ids that others may stand for as well.
  var contestedUsers: [UserIdentifier]

  /// Nil if nobody's open connections are to hear of it.
  init?(_ report: EventReport, type: EventType) {
    guard type.isRelayed, let audience = report.audience else { return nil }
    self.type = type
    payload = report.payload
    payloadSize = report.payloadSize
    self.audience = audience
    contestedUsers = report.contestedUsers
  }
}
