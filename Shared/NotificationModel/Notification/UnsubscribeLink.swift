public import Foundation

/// What a mail's link to unsubscribe names: whose mails, and of which category.
public struct UnsubscribeLink: Sendable, Equatable {
  public let user: UserID
  /// As the catalogue calls it.
  public let category: String
  /// After that the link changes nothing; whole seconds.
  public let expiry: Date

  /// For how long it may be used: 60 days after the mail, as Canada's law asks, whose notification may have been held for 30 days before,
  /// and have waited a week for the mail server.
  public static let lifetime: TimeInterval = 100 * 86_400

  public init(user: UserID, category: String, expiry: Date) {
    self.user = user
    self.category = category
    self.expiry = Date(timeIntervalSince1970: expiry.timeIntervalSince1970.rounded(.down))
  }

  /// Of a notification that was made then: the same at each attempt.
  public init(user: UserID, category: String, notificationCreatedAt createdAt: Date) {
    self.init(user: user, category: category, expiry: createdAt + Self.lifetime)
  }

  /// When the notification was made whose mail has it. Who was erased since is somebody else by now.
  public var issuedAt: Date { expiry - Self.lifetime }
}
