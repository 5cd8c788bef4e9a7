public import Foundation

/// What became of a send so far.
public struct RequestStatus: Sendable, Equatable {
  /// Where it stands; later versions may have more.
  public struct State: RawRepresentable, Sendable, Hashable, Decodable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let accepted = Self(rawValue: "accepted")
    public static let scheduled = Self(rawValue: "scheduled")
    /// Nothing of it was sent.
    public static let cancelled = Self(rawValue: "cancelled")
  }

  /// How many recipients came to what on one channel.
  public struct Channel: Sendable, Equatable, Decodable {
    public let delivered: Int
    public let pending: Int
    public let held: Int
    public let failed: Int
    /// By reason, such as `preferenceOff`.
    public let skipped: [String: Int]
  }

  /// What became of a push to a topic or a condition, which has no recipients that Belfry knows.
  public struct TopicDelivery: Sendable, Equatable, Decodable {
    /// `pending`, `delivered`, `rejected`, `exhausted`, `expired` or `uncertain`; later versions may have more.
    public let outcome: String
    public let reason: String?
    public let attempts: Int
    /// When it came to this; nil while it is pending.
    public let at: Date?
  }

  public let requestID: UUID
  public let state: State
  public let sendAt: Date?
  public let cancelledAt: Date?
  /// Nil until a router has routed it.
  public let recipients: Int?
  /// False if there are more recipients than were counted.
  public let isComplete: Bool
  /// By the channel's name, such as `inApp`.
  public let channels: [String: Channel]
  public let topicDelivery: TopicDelivery?
}

extension RequestStatus: Decodable {
  private enum Member: String, CodingKey {
    case requestId, status, sendAt, cancelledAt, recipients, isComplete, channels, topicDelivery
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    requestID = try members.decode(UUID.self, forKey: .requestId)
    state = try members.decode(State.self, forKey: .status)
    sendAt = try members.decodeIfPresent(Date.self, forKey: .sendAt)
    cancelledAt = try members.decodeIfPresent(Date.self, forKey: .cancelledAt)
    recipients = try members.decodeIfPresent(Int.self, forKey: .recipients)
    isComplete = try members.decodeIfPresent(Bool.self, forKey: .isComplete) ?? false
    channels = try members.decodeIfPresent([String: Channel].self, forKey: .channels) ?? [:]
    topicDelivery = try members.decodeIfPresent(TopicDelivery.self, forKey: .topicDelivery)
  }
}

/// What a cancellation took back.
public struct RequestCancellation: Sendable, Equatable, Decodable {
  /// Notifications of which a channel waited; 1 for a scheduled send.
  public let cancelledCount: Int
  /// Notifications that were taken out of inboxes; nil unless that was asked for.
  public let withdrawnCount: Int?
  /// False if there may be more. With withdrawing, call again.
  public let isComplete: Bool
  /// `cancelled` if nothing was sent.
  public let status: RequestStatus.State
}
