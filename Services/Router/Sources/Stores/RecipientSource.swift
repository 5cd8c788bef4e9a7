import NotificationModel
import NotificationStore

/// Tells what must be known about people: what routing needs of ``RecipientStore``.
protocol RecipientSource: Sendable {
  /// One recipient per key; who has no profile has the defaults.
  func recipients(for keys: Set<RecipientStore.Key>) async throws -> [RecipientStore.Key: Recipient]
}

extension RecipientStore: RecipientSource {}
