import NotificationModel
import NotificationStore

/// Answers what must be known about people: what routing needs of ``RecipientStore``.
protocol RecipientStoring: Sendable {
  /// One recipient per key; who has no profile has the defaults.
  func recipients(for keys: Set<RecipientStore.Key>) async throws -> [RecipientStore.Key: Recipient]
}

extension RecipientStore: RecipientStoring {}
