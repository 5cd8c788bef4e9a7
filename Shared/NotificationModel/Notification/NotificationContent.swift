public import Foundation

/// What a notification says: the same for all recipients of one request who read alike, so messages carry it once.
public struct NotificationContent: Sendable, Equatable {
  public var type: Int
  public var typeName: String
  /// The type's; nil of types that the catalogue does not know, of compositions of several, and of messages of an earlier version.
  public var category: String?
  /// What mails of the category are to mail servers.
  public var mail = MailHandling.standard
  public var title: String
  public var body: String
  /// Whether the texts would have more characters than may be sent: then there are none, and nobody is notified.
  public internal(set) var isTextTooLong: Bool
  public var data: [String: String]
  /// Names of values in ``data`` that came as numbers or booleans, and names that are not in it perhaps; see ``DataLiteral``.
  public var literals: Set<String>
  public var relatedEntityType: String?
  public var relatedEntityId: String?
  public var priority: NotificationType.Priority
  public var collapseKey: String?
  /// As devices know it; nil is the system's own.
  public var sound: String?
  /// Whether it pierces quiet hours: devices are asked to show it at once, whatever mode they are in.
  public var isUrgent: Bool
  /// Whether the app's service extension completes it before iOS shows it.
  public var isMutable = false
  /// Of the readers for whom it is worded; nil if it is the same for all.
  public var locale: String?
  public var createdAt: Date
  public var expiresAt: Date
  /// What Android apps get through FCM.
  public var android = NotificationType.AndroidForm.notification
  /// Under which Firebase counts what becomes of its pushes.
  public var analyticsLabel: String?
  /// Of a mail that delivers several notifications as one: these.
  public var listing: Listing?

  public init(
    type: NotificationType,
    text: NotificationTemplate.Text,
    data: [String: String],
    literals: Set<String> = [],
    relatedEntityType: String?,
    relatedEntityId: String?,
    collapseKey: String?,
    createdAt: Date,
    expiresAt: Date
  ) {
    self.type = type.code
    typeName = type.name
    title = text.title
    body = text.body
    isTextTooLong = !text.excess.isEmpty
    (category, mail) = (type.category, type.mail)
    self.data = data
    self.literals = literals
    self.relatedEntityType = relatedEntityType
    self.relatedEntityId = relatedEntityId
    priority = type.priority
    self.collapseKey = collapseKey
    sound = type.sound == "default" ? nil : type.sound
    isUrgent = type.quietHours == .pierce
    (android, analyticsLabel) = (type.android, type.analyticsLabel)
    isMutable = type.isMutable
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  /// What is stored, for its reader's open connections.
  ///
  /// - Parameters:
  ///   - code: Its type's.
  ///   - type: Nil if the catalogue does not know it any more.
  public init(
    code: Int,
    of type: NotificationType?,
    text: NotificationTemplate.Text,
    data: [String: String],
    literals: Set<String> = [],
    relatedEntityType: String?,
    relatedEntityId: String?,
    locale: String?,
    createdAt: Date,
    expiresAt: Date
  ) {
    self.type = code
    typeName = type?.name ?? Self.unknownType
    title = text.title
    body = text.body
    isTextTooLong = !text.excess.isEmpty
    self.data = data
    self.literals = literals
    self.relatedEntityType = relatedEntityType
    self.relatedEntityId = relatedEntityId
    priority = type?.priority ?? .normal
    isUrgent = type?.quietHours == .pierce
    self.locale = locale
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  /// Takes other texts.
  mutating func say(_ text: NotificationTemplate.Text) {
    title = text.title
    body = text.body
    isTextTooLong = !text.excess.isEmpty
  }

  /// Name of a type that the catalogue does not know.
  private static let unknownType = "Unknown"
}

extension NotificationContent {
  /// The category from whose mails its reader may unsubscribe by a link; nil if there is to be none.
  public var unsubscribableCategory: String? { mail.mayUnsubscribe ? category : nil }

  /// What the notification is about; nil if it does not say.
  public var relatedEntity: RelatedEntity? {
    guard let relatedEntityType, let relatedEntityId else { return nil }
    return RelatedEntity(type: relatedEntityType, id: relatedEntityId)
  }
}
