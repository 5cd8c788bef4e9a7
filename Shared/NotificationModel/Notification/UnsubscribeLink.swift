public import Foundation

/// What a mail's link to unsubscribe names: whose mails, and of which category.
public struct UnsubscribeLink: Sendable, Equatable {
  public let user: UserID
  /// As the catalogue calls it.
  public let category: String
  /// When the notification was made whose mail has it; whole seconds. Who was erased since is somebody else by now.
  public let issuedAt: Date
  /// After that the link changes nothing; whole seconds.
  public let expiry: Date

  /// For how long a mail's link may be used at least, counted from the mail, as Canada's law asks: however long its notification was held,
  /// or waited for the mail server.
  public static let days = 60
  /// For how long at most: it ends with a day.
  public static let lifetime = TimeInterval(days + 1) * day

  private static let day: TimeInterval = 86_400

  public init(user: UserID, category: String, issuedAt: Date, expiry: Date) {
    (self.user, self.category) = (user, category)
    (self.issuedAt, self.expiry) = (Self.rounded(issuedAt, to: 1), Self.rounded(expiry, to: 1))
  }

  /// Of a mail that is composed now: the same at each attempt of a day (UTC).
  public init(user: UserID, category: String, notificationCreatedAt createdAt: Date, composedAt now: Date) {
    self.init(
      user: user,
      category: category,
      issuedAt: createdAt,
      expiry: Self.rounded(now, to: Self.day) + Self.lifetime
    )
  }

  private static func rounded(_ date: Date, to step: TimeInterval) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / step).rounded(.down) * step)
  }
}
