import JSON
import NotificationModel

/// An event that the catalogue knows, for an audience that is still to be expanded.
struct RelayedEvent {
  var type: EventType
  var payload: JSONValue
  var payloadSize: Int
  var audience: Audience

  init(_ report: EventReport, type: EventType) {
    self.type = type
    payload = report.payload
    payloadSize = report.payloadSize
    audience = report.audience
  }
}
