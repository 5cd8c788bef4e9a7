public import Foundation

/// What is to be told, and when that is asked: the same for every recipient of one request.
///
/// A class, because it stands beside each of a batch's recipients: there it is one count instead of twenty.
public final class DecisionSubject: Sendable {
  public let type: NotificationType
  /// The channels the request allows; nil means all. It narrows preferences, never widens them.
  public let requested: Set<Channel>?
  /// What the notification is about: it may be on the screen, or muted.
  public let entity: ViewedEntity?
  /// The acceptance, or the due instant of what was sent for later; waiting times begin with it.
  public let createdAt: Date
  /// When the notification loses its meaning.
  public let expiresAt: Date?
  /// When it is to be told; nil, or a time that has passed, is at once.
  public let sendAt: Date?
  /// For the inbox alone.
  public let isSilent: Bool
  /// The request was withdrawn.
  public let isCancelled: Bool
  /// The moment asked about.
  public let now: Date
  /// Over how many seconds the ends of quiet hours are spread.
  public let spread: DueSpread

  public init(
    type: NotificationType,
    requested: Set<Channel>? = nil,
    about entity: ViewedEntity? = nil,
    createdAt: Date? = nil,
    expiresAt: Date? = nil,
    sendAt: Date? = nil,
    isSilent: Bool = false,
    isCancelled: Bool = false,
    now: Date,
    spread: DueSpread = DueSpread()
  ) {
    self.type = type
    self.requested = requested
    self.entity = entity
    self.createdAt = createdAt ?? now
    self.expiresAt = expiresAt
    self.sendAt = sendAt
    self.isSilent = isSilent
    self.isCancelled = isCancelled
    self.now = now
    self.spread = spread
  }
}
