import Foundation
import BelfryJSON
import NotificationModel
import NotificationStore
import UserIdentity
import WallClock

extension NotificationHistory {
  /// - Parameters:
  ///   - explainer: What it knows has names.
  ///   - devices: Those that are still registered, by their targets.
  ///   - suppression: Of the recipient's mail address.
  ///   - zone: The recipient's.
  func write(
    to writer: inout JSONWriter,
    user: UserIdentifier,
    _ explainer: Explainer,
    _ devices: [String: DeviceStore.RegisteredDevice],
    _ suppression: AddressSuppression?,
    zone: Zone,
    now: Date
  ) {
    let explanation = explanation(in: zone, now: now, channels: explainer.channels, suppression: suppression)
    writer.object { writer in
      writer.field("id", id.description)
      writer.field("userId", user.description)
      writer.field("requestId", requestID.description)
      writer.field("type", type)
      writer.nullableField("typeName", explainer.catalogue.type(.code(type))?.name)
      writer.field("createdAt", createdAt.rfc3339)
      writer.field("expiresAt", expiresAt.rfc3339)
      writer.nullableField("readAt", readAt?.rfc3339)
      writer.field("timezone", zone.identifier)
      writer.field("localTime", zone.spoken(createdAt))
      writer.array("channels") { writer in
        for line in explanation.lines {
          writer.object { writer in
            line.write(to: &writer, among: explainer.channels)
            writer.array("deliveries") { writer in
              for delivery in deliveries(on: line.channel) {
                writer.object { delivery.write(to: &$0, devices[delivery.target], zone: zone, now: now) }
              }
            }
          }
        }
      }
    }
  }
}

extension NotificationHistory.Delivery {
  /// Fields of an object that is begun.
  fileprivate func write(
    to writer: inout JSONWriter,
    _ device: DeviceStore.RegisteredDevice?,
    zone: Zone,
    now: Date
  ) {
    writer.field("target", target)
    if let device { writer.object("device") { device.writeAddress(to: &$0) } }
    writer.field("outcome", DeliveryOutcome(rawValue: outcome)?.name ?? String(outcome))
    writer.nullableField("reason", reason)
    writer.nullableField("providerId", providerID)
    writer.field("attempts", attempts)
    writer.field("at", finishedAt.rfc3339)
    writer.field("words", words(in: zone, now: now))
  }
}
