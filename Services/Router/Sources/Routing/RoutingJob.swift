import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// A part with its type: a whole request, or some of its recipients.
struct RoutingJob {
  var type: NotificationType
  var part: RoutedPart
}

extension RoutingJob {
  /// What is decided for each recipient.
  func subject(now: Date, spread: DueSpread = DueSpread()) -> DecisionSubject {
    DecisionSubject(
      type: type,
      requested: part.channels,
      about: part.content.relatedEntity,
      createdAt: part.content.createdAt,
      expiresAt: part.content.expiresAt,
      isSilent: part.isSilent,
      now: now,
      spread: spread
    )
  }

  /// What the recipients' notifications gather in; nil where the type has no digest.
  func window(of user: UserID) -> HeldStore.WindowKey? {
    guard let digest = type.digest else { return nil }
    return .init(user: user, channel: digest.channel, type: type.code, key: part.digestKey ?? "")
  }

  /// By what a notification waits.
  func waitingKeys(of recipient: Recipient, now: Date) -> WaitingKeys {
    WaitingKeys(
      digest: type.digest.map { _ in part.digestKey ?? "" },
      throttle: type.throttle.map { _ in part.throttleKey ?? "" },
      decidedAt: now,
      settingsRevision: recipient.settingsRevision
    )
  }
}
