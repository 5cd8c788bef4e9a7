import Foundation
import NotificationModel
import NotificationStore
import Testing

/// Valid values with nothing special about them.
enum Sample {
  private static let catalogue = Result { try Catalogue() }

  /// All types of the built-in catalogue.
  static func types() throws -> [NotificationType] { try catalogue.get().types }

  /// What routing asks about somebody.
  static func key(_ user: UserID, type: Int = 10, about entity: RelatedEntity? = nil) throws -> RecipientStore.Key {
    let known = try #require(try catalogue.get().type(.code(type)))
    return RecipientStore.Key(user, about: DecisionSubject(type: known, about: entity, now: .now))
  }

  static func user() -> UserID { UserID(UUID()) }

  static func users(_ count: Int) -> [UserID] { (0..<count).map { _ in user() } }

  static func content(type: Int = 10, title: String = "Allowance", at time: Date = .now) throws -> NotificationContent {
    let known = try #require(try catalogue.get().type(.code(type)))
    return NotificationContent(
      type: known,
      text: known.template.render(title: title, body: "Body", data: [:]),
      data: ["amount": "$10.00"],
      relatedEntityType: "Account",
      relatedEntityId: "7",
      collapseKey: nil,
      createdAt: time,
      expiresAt: time + 86_400
    )
  }

  static func notification(
    _ user: UserID,
    request: RequestID = RequestID(now: .now),
    content: Int = 0,
    inApp: ChannelDecision = .deliver,
    push: ChannelDecision = .deliver,
    email: ChannelDecision = .skip(.preferenceOff)
  ) -> NewNotification {
    NewNotification(
      id: NotificationID(request: request, recipient: user),
      userID: user,
      requestID: request,
      content: content,
      plan: PerChannel(inApp: inApp, push: push, email: email)
    )
  }

  /// `count` notifications for one user, a second apart, the newest last; `type` gives each one's type.
  static func history(
    _ count: Int,
    of user: UserID,
    until now: Date = .now,
    type: (Int) -> Int = { _ in 10 }
  ) throws -> (notifications: [NewNotification], contents: [NotificationContent]) {
    let times = (0..<count).map { now - Double(count - $0) }
    return (
      times.enumerated().map { notification(user, request: RequestID(now: $1), content: $0) },
      try times.enumerated().map { try content(type: type($0), title: "Number \($0 + 1)", at: $1) }
    )
  }
}
