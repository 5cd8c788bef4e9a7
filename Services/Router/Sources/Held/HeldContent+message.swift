import NotificationModel
import NotificationStore

extension HeldContent {
  /// What dispatchers are told of a notification that waited.
  func message(type: NotificationType, collapseKey: String? = nil) -> NotificationContent {
    NotificationContent(
      type: type,
      text: NotificationTemplate.Text(title: title, body: body),
      data: data,
      relatedEntityType: relatedEntityType,
      relatedEntityId: relatedEntityID,
      collapseKey: collapseKey,
      createdAt: createdAt,
      expiresAt: expiresAt
    )
  }

  /// What dispatchers are told of a composition that is stored.
  ///
  /// - Parameter members: The types of those that it tells.
  func message(ofMembers members: [NotificationType]) -> NotificationContent? {
    guard let some = members.first(where: { $0.code == type }) ?? members.first else { return nil }
    return message(type: some).composed(as: type, of: members)
  }
}

extension Composition {
  /// What is stored of it, and published.
  ///
  /// A type's digest carries what its latest member does, so that a tap leads where that would. What tells anything that was
  /// held leads nowhere, and has the type of its members, or ``mixedType`` where they have several.
  ///
  /// - Parameter looks: Its members', in their order.
  func message(of looks: [HeldLook]) -> NotificationContent? {
    guard let latest = looks.last else { return nil }
    let types = looks.map(\.type)
    let isDigest = self.type != nil
    let only = Set(types.map(\.code)).count == 1 ? latest.type.code : Self.mixedType
    let content = NotificationContent(
      type: latest.type,
      text: text,
      data: isDigest ? latest.content.data : [:],
      relatedEntityType: isDigest ? latest.content.relatedEntityType : nil,
      relatedEntityId: isDigest ? latest.content.relatedEntityID : nil,
      collapseKey: nil,
      createdAt: id.time ?? latest.entry.due,
      expiresAt: looks.map(\.content.expiresAt).max() ?? latest.content.expiresAt
    )
    return content.composed(as: only, of: types)
  }

  /// The type's code of what tells notifications of several types. No type of a catalogue has it.
  static let mixedType = 0
}

extension NotificationContent {
  /// The same with the type that a composition has, as urgent as its most urgent member.
  fileprivate func composed(as code: Int, of members: [NotificationType]) -> NotificationContent {
    var content = self
    content.type = code
    if code == Composition.mixedType { (content.typeName, content.sound) = ("Composition", nil) }
    content.priority = members.contains { $0.priority == .high } ? .high : .normal
    return content
  }
}
