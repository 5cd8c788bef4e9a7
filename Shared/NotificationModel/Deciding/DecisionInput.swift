public import Foundation

/// All that a decision depends on: the same input, the same answer.
public struct DecisionInput: Sendable {
  public var subject: DecisionSubject
  public var recipient: Recipient
  public var state: DecisionState
  /// Whether it would have more characters than may be sent, in the recipient's words.
  public var isTextTooLong: Bool

  public init(
    _ subject: DecisionSubject,
    to recipient: Recipient,
    state: DecisionState = DecisionState(),
    isTextTooLong: Bool = false
  ) {
    self.subject = subject
    self.recipient = recipient
    self.state = state
    self.isTextTooLong = isTextTooLong
  }
}

/// What is to be sent, and when that is asked: the same for every recipient of one request.
///
/// A class, because it stands beside each of a batch's recipients: there it is one count instead of twenty.
public final class DecisionSubject: Sendable {
  public let type: NotificationType
  /// The channels the request allows; nil means all. It narrows preferences, never widens them.
  public let requested: Set<Channel>?
  /// What the notification is about: it may be on the screen, or muted.
  public let entity: RelatedEntity?
  /// The acceptance, or the due instant of what was sent for later; waiting times begin with it.
  public let createdAt: Date
  /// When the notification loses its meaning.
  public let expiresAt: Date?
  /// When it is to be sent; nil, or a time that has passed, is at once.
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
    about entity: RelatedEntity? = nil,
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

/// What is stored of one notification, or counted with it, when it is decided; besides the recipient's settings.
public struct DecisionState: Sendable, Equatable {
  /// Which decision on it this is.
  public enum Occasion: Sendable, Equatable {
    /// The first: it has just been accepted.
    case first
    /// A re-evaluation: it was held for that reason, and is due (or the recipient changed what it waits for).
    case due(HoldReason)
  }

  /// What became of the notification in the inbox.
  public enum Inbox: Sendable, Equatable {
    case unread, read, deleted

    /// - Parameter decision: What is stored of the in-app channel: whoever archived it has dealt with it, and
    ///   who put it off has seen it and has said when it is to come back.
    public init(_ decision: ChannelDecision?, isRead: Bool) {
      switch decision {
      case .leftInbox(.deleted), .leftInbox(.withdrawn): self = .deleted
      case .leftInbox(.archived), .leftInbox(.snoozed): self = .read
      default: self = isRead ? .read : .unread
      }
    }
  }

  public var occasion: Occasion
  /// Only asked at re-evaluation.
  public var inbox: Inbox
  /// What the type's throttle counted; nil is nothing.
  public var throttle: ThrottleUse?
  /// The open window of the type's digest; nil if none is open.
  public var digest: DigestWindow?

  public init(
    occasion: Occasion = .first,
    inbox: Inbox = .unread,
    throttle: ThrottleUse? = nil,
    digest: DigestWindow? = nil
  ) {
    self.occasion = occasion
    self.inbox = inbox
    self.throttle = throttle
    self.digest = digest
  }
}

/// How much of a ``Throttle`` a user has used up, for one type and key.
///
/// It counts notifications that were let through, each once, on whatever channels: see
/// ``RoutingDecision/isCounted(_:from:of:channels:)``.
public struct ThrottleUse: Sendable, Equatable {
  /// How many were let through in the time that has just passed, the notification at hand not among them.
  public var count: Int
  /// When the oldest of them leaves that time, which makes room for one.
  public var freesAt: Date
  /// Whether the notification at hand was counted, because another of its channels was let through before.
  public var isCounted: Bool

  public init(count: Int, freesAt: Date, isCounted: Bool = false) {
    self.count = count
    self.freesAt = freesAt
    self.isCounted = isCounted
  }
}

/// The time in which a user's notifications of one type and key gather on the digest's channel.
///
/// No table has it: it is open until the earliest due time of what waits in it.
public struct DigestWindow: Sendable, Equatable {
  public var until: Date

  public init(until: Date) {
    self.until = until
  }

  /// The window after a decision, which may have opened it: for what follows in the same batch.
  public static func after(_ decision: ChannelDecision?, _ window: DigestWindow?) -> DigestWindow? {
    guard case .hold(let until, .digest) = decision else { return window }
    return DigestWindow(until: until)
  }
}
