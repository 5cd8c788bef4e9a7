import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// A part with its type: a whole request, or some of its recipients.
///
/// A class, because it goes from hand to hand: there it is one count instead of thirty (a twelfth of what a single send costs).
final class RoutingJob: Sendable {
  let type: NotificationType
  let order: RoutingOrder

  init(type: NotificationType, order: RoutingOrder) {
    (self.type, self.order) = (type, order)
  }
}

extension RoutingJob {
  /// What is decided for each recipient.
  func subject(now: Date, spread: DueSpread = DueSpread()) -> DecisionSubject {
    DecisionSubject(
      type: type,
      requested: order.channels,
      about: order.content.relatedEntity,
      createdAt: order.content.createdAt,
      expiresAt: order.content.expiresAt,
      isSilent: order.isSilent,
      now: now,
      spread: spread
    )
  }

  /// What the recipients' notifications gather in; nil where the type has no digest.
  func window(of user: UserID) -> HeldStore.WindowKey? {
    guard let digest = type.digest else { return nil }
    return .init(user: user, channel: digest.channel, type: type.code, key: order.digestKey ?? "")
  }

  /// By what a notification waits.
  func waitingKeys(of recipient: Recipient, now: Date) -> WaitingKeys {
    WaitingKeys(
      digest: type.digest.map { _ in order.digestKey ?? "" },
      throttle: type.throttle.map { _ in order.throttleKey ?? "" },
      decidedAt: now,
      settingsRevision: recipient.settingsRevision
    )
  }
}
