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

    /// - Parameter decision: What is stored of the in-app channel: whoever archived it has dealt with it.
    public init(_ decision: ChannelDecision?, isRead: Bool) {
      switch decision {
      case .leftInbox(.deleted), .leftInbox(.withdrawn): self = .deleted
      case .leftInbox(.archived): self = .read
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
