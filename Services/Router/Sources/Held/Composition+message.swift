import NotificationModel
import NotificationStore

extension Composition {
  /// What is stored of it, and published.
  ///
  /// A digest of one type carries what its latest member carries, so that a tap leads where that member leads. A composition
  /// of whatever was held leads nowhere. It has the type of its members, or ``mixedType`` where they have several.
  ///
  /// - Parameter members: In their order.
  func message(of members: [Reevaluation]) -> NotificationContent? {
    guard let latest = members.last else { return nil }
    let types = members.map(\.type)
    let isDigest = self.type != nil
    let only = Set(types.map(\.code)).count == 1 ? latest.type.code : Self.mixedType
    let content = NotificationContent(
      type: latest.type,
      text: text,
      data: isDigest ? latest.content.data : [:],
      literals: isDigest ? latest.content.literals : [],
      relatedEntityType: isDigest ? latest.content.relatedEntityType : nil,
      relatedEntityId: isDigest ? latest.content.relatedEntityID : nil,
      collapseKey: nil,
      createdAt: id.time ?? latest.entry.due,
      expiresAt: members.map(\.content.expiresAt).max() ?? latest.content.expiresAt
    )
    return content.composed(as: only, of: types)
  }

  /// The type's code of a composition of several types. No type of a catalogue has it.
  static let mixedType = 0
}

extension NotificationContent {
  /// The same with the type that a composition has, as urgent as its most urgent member.
  func composed(as code: Int, of members: [NotificationType]) -> NotificationContent {
    var content = self
    content.type = code
    if code == Composition.mixedType { (content.typeName, content.sound) = ("Composition", nil) }
    // Who counts a label counts its type's own. The system shows what an app may not expect as data.
    if code == Composition.mixedType { (content.analyticsLabel, content.isMutable) = (nil, false) }
    // Of several categories none is named, for who stops one has not stopped the others. A mail that somebody waits for goes first.
    if Set(members.map(\.category)).count > 1 {
      content.category = nil
      content.mail = MailHandling(stream: members.allSatisfy { $0.mail.stream == .bulk } ? .bulk : .transactional)
    }
    content.android = members.contains { $0.android != .data } ? .notification : content.android
    content.priority = members.contains { $0.priority == .high } ? .high : .normal
    return content
  }
}
