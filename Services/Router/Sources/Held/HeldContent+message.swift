import NotificationModel
import NotificationStore

extension HeldContent {
  /// What dispatchers get of a notification that waited.
  func message(type: NotificationType, collapseKey: String? = nil) -> NotificationContent {
    NotificationContent(
      type: type,
      text: NotificationTemplate.Text(title: title, body: body),
      data: data,
      literals: literals,
      relatedEntityType: relatedEntityType,
      relatedEntityId: relatedEntityID,
      collapseKey: collapseKey,
      createdAt: createdAt,
      expiresAt: expiresAt
    )
  }

  /// What dispatchers get of a composition that is stored.
  ///
  /// - Parameter members: The types of its members.
  func message(ofMembers members: [NotificationType]) -> NotificationContent? {
    guard let some = members.first(where: { $0.code == type }) ?? members.first else { return nil }
    return message(type: some).composed(as: type, of: members)
  }
}
