import Foundation
import BelfryJSON
import NotificationModel
import WallClock

extension RealtimeMessage.Change {
  /// Nil for a state of a later version: what else the message says is still sent.
  init?(_ json: JSONValue) throws(JSONFieldError) {
    let fields = try JSONFields(json)
    userId = try fields.identifier("userId")
    let id: NotificationID = try fields.identifier("notificationId")
    switch try fields.string("state") {
    case "deleted":
      state = .deleted(id)
    case "changed":
      let own = NotificationDTO.Own(
        id: id,
        seq: try fields.optionalInteger("seq", in: QueueCoder.counts),
        readAt: try fields.optionalTime("readAt"),
        seenAt: try fields.optionalTime("seenAt"),
        openedAt: try fields.optionalTime("openedAt"),
        archivedAt: try fields.optionalTime("archivedAt"),
        snoozedUntil: try fields.optionalTime("snoozedUntil")
      )
      state = .changed(own, content: try fields.integer("content"))
    default:
      return nil
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("userId", userId)
      writer.field("notificationId", notificationId)
      switch state {
      case .deleted:
        writer.field("state", "deleted")
      case .changed(let own, let content):
        writer.field("state", "changed")
        writer.field("content", content)
        if let seq = own.seq { writer.field("seq", seq) }
        writer.optionalField("readAt", own.readAt?.rfc3339)
        writer.optionalField("seenAt", own.seenAt?.rfc3339)
        writer.optionalField("openedAt", own.openedAt?.rfc3339)
        writer.optionalField("archivedAt", own.archivedAt?.rfc3339)
        writer.optionalField("snoozedUntil", own.snoozedUntil?.rfc3339)
      }
    }
  }
}

extension JSONFields {
  fileprivate func optionalTime(_ name: String) throws(JSONFieldError) -> Date? {
    try optionalValue(name, expected: "an RFC 3339 time") { Date(rfc3339: $0) }
  }
}
