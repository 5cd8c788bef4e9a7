/// Why a channel was not used for a notification. The codes are stored; they never change meaning.
public struct SkipReason: RawRepresentable, Sendable, Hashable, CaseIterable {
  public let rawValue: Int16

  /// - Parameter rawValue: Above 0.
  public init(rawValue: Int16) {
    self.rawValue = rawValue
  }

  /// The request named other channels.
  public static let channelNotRequested = SkipReason(rawValue: 1)
  /// The recipient switched this type off on this channel, or the catalogue's default is off.
  public static let preferenceOff = SkipReason(rawValue: 2)
  /// The recipient's master switch is off.
  public static let notificationsOff = SkipReason(rawValue: 3)
  /// No active device is registered.
  public static let noActiveDevice = SkipReason(rawValue: 4)
  /// The profile has no email address.
  public static let noEmailAddress = SkipReason(rawValue: 5)
  /// The address bounced, an operator suppressed it, or its user complained and the type may be unsubscribed.
  public static let emailSuppressed = SkipReason(rawValue: 6)
  /// The notification expired before it was routed.
  public static let expired = SkipReason(rawValue: 7)
  /// The recipient has on the screen what the notification is about.
  public static let viewing = SkipReason(rawValue: 8)

  /// It is about something that the recipient muted.
  public static let muted = SkipReason(rawValue: 9)
  /// It came within the recipient's quiet hours, and its type is dropped then.
  public static let quietHours = SkipReason(rawValue: 10)
  /// Too many of its type in a short time.
  public static let throttled = SkipReason(rawValue: 11)
  /// It was read while it waited.
  public static let read = SkipReason(rawValue: 12)
  /// It was deleted while it waited.
  public static let deleted = SkipReason(rawValue: 13)
  /// Its request was withdrawn.
  public static let cancelled = SkipReason(rawValue: 14)
  /// The deployment has no provider that reaches any of the recipient's devices.
  public static let noProvider = SkipReason(rawValue: 15)
  /// The recipient paused notifications, and its type is dropped then.
  public static let paused = SkipReason(rawValue: 16)
  /// It was sent together with others, as one: a notification of its own says so.
  public static let composed = SkipReason(rawValue: 17)
  /// Its texts would have more characters than may be sent, once they are filled in for the recipient.
  public static let textTooLong = SkipReason(rawValue: 21)

  /// What a mail that has waited is not sent for. No provider refuses one in these words.
  public static let ofWaitingMails: [SkipReason] = [.preferenceOff, .emailSuppressed]

  /// Names in the delivery log (`belfry_skip_reason` in the schema). The codes between are those of ``InboxState``.
  private static let names: [SkipReason: String] = [
    .channelNotRequested: "channelNotRequested", .preferenceOff: "preferenceOff",
    .notificationsOff: "notificationsOff", .noActiveDevice: "noActiveDevice", .noEmailAddress: "noEmailAddress",
    .emailSuppressed: "emailSuppressed", .expired: "expired", .viewing: "viewing", .muted: "muted",
    .quietHours: "quietHours", .throttled: "throttled", .read: "read", .deleted: "deleted", .cancelled: "cancelled",
    .noProvider: "noProvider", .paused: "paused", .composed: "composed", .textTooLong: "textTooLong",
  ]

  /// Those of this version, by their codes.
  public static let allCases = names.keys.sorted { $0.rawValue < $1.rawValue }

  /// One of this version, by its name.
  public init?(name: String) {
    guard let known = Self.names.first(where: { $0.value == name }) else { return nil }
    self = known.key
  }

  /// Name in the delivery log; of a reason of another version its code.
  public var name: String { Self.names[self] ?? String(rawValue) }
}
