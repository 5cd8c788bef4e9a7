import Foundation
import NotificationModel
import NotificationStore

/// The entries of one claim, with everything that decides what becomes of them besides digest windows and throttles.
struct ClaimedWork {
  /// By user and channel.
  let entries: [HeldEntry]
  /// Of these, and of the compositions that some of them are in.
  let contents: [NotificationID: HeldContent]
  let types: HeldTypes.Known
  let channels: [any RoutingChannel]
  let recipients: [RecipientStore.Key: Recipient]
  /// Those of their requests that were withdrawn.
  let withdrawn: Set<NamedRequest>
  let now: Date
  let spread: DueSpread

  /// What a mail lists that delivers these as one; nil on other channels, and where nothing of them is left.
  func listing(of members: [HeldEntry]) -> NotificationContent.Listing? {
    guard members.first?.key.channel == .email else { return nil }
    // Ids begin with their time: the oldest comes first, as at the first attempt.
    let contents = members.map(\.key.notification).sorted().compactMap { self.contents[$0] }
    return contents.isEmpty ? nil : NotificationContent.Listing(contents.map { (title: $0.title, body: $0.body) })
  }

  func recipient(of entry: HeldEntry, _ type: NotificationType) -> Recipient {
    recipients[entry.recipientKey(of: type, contents[entry.key.notification])] ?? Recipient(id: entry.key.user)
  }
}

extension HeldEntry {
  /// What must be known of its recipient.
  ///
  /// - Parameter content: Nil if it was deleted meanwhile.
  func recipientKey(of type: NotificationType, _ content: HeldContent?) -> RecipientStore.Key {
    RecipientStore.Key(user: key.user, type: type.code, category: type.category, entity: content?.relatedEntity)
  }
}
