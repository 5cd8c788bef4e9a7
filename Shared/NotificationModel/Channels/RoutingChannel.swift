/// What routing must know of one channel. The decision and the messages to its dispatchers ask the same value, so they
/// cannot disagree.
///
/// A new channel is a file with such a type, its code (below 64) in it, and its line in ``Channel/routing(pushingBy:)``: with
/// these it is chosen, decided, held, queued, recorded, counted, explained, exported and erased. What it takes beside them, its
/// dispatcher above all, is listed in docs/architecture.md ("A new channel").
public protocol RoutingChannel: Sendable {
  var channel: Channel { get }
  /// Name in JSON, YAML and the delivery log; its dispatchers' queue is `belfry.<name>`, unless it goes by providers.
  var name: String { get }
  /// Whether dispatchers take its deliveries from a queue. What has none is published to open connections.
  var hasQueue: Bool { get }
  /// The providers that it goes by, whose dispatchers have a queue each. Unless said, there is nothing to tell apart.
  var providers: PushProviders? { get }
  /// The streams that its dispatchers keep apart in queues of their own, beside the channel's. Unless said, there is one.
  var streams: [MailStream] { get }
  /// How it asks for a person's attention. Unless said, a channel with a queue asks for it at once.
  var attention: Attention { get }
  /// Name within a sentence. Unless said, the name.
  var label: String { get }
  /// The profile's member that holds its address. Unless said, it needs none of the profile.
  var address: AddressField? { get }
  /// Why there is no way to somebody; nil if there is one. What holds for every channel is for rules to say.
  func objection(to recipient: Recipient) -> SkipReason?
  /// Where to reach somebody: none exactly where an address is missing.
  func targets(of recipient: Recipient) -> [DeliveryTarget]
  /// By what somebody is reached, for explanations and without addresses. Unless said, there is nothing to say.
  func reach(of recipient: Recipient) -> String?
}

extension RoutingChannel {
  public var attention: Attention { hasQueue ? .now : .none }
  public var label: String { name }
  public var providers: PushProviders? { nil }
  public var streams: [MailStream] { [] }
  public var address: AddressField? { nil }
  public func reach(of recipient: Recipient) -> String? { nil }
}

/// A device or a mailbox, or what FCM delivers by its own list.
public struct DeliveryTarget: Sendable {
  /// Key of the outcome: the device's id, or the mail address; of a topic or condition the text of it.
  public var id: String
  /// Token or endpoint of a device, or mail address: never logged. Or a topic, or a condition.
  public var address: String
  /// Platform code of a device.
  public var platform: Int?
  /// The recipient's display name, for a mail's `To`.
  public var name: String?
  /// What a push to the device is encrypted with, if its provider wants that. Never logged.
  public var credentials: SubscriptionKeys?
  /// What a device's address is to FCM.
  public var kind: DeviceAddressKind
  /// Of a device of APNs.
  public var apns: APNsAddress?
  /// Of a browser's subscription: id of the VAPID key that it was made with.
  public var vapidKey: String?
  /// What the address is, if it is no device's; nil is a device, or a mailbox.
  public var audience: PushAudience?
  /// The recipient's, for a mail's own words and formats; nil if unknown, and of devices.
  public var locale: String?
  /// Identifier of the recipient's, for a mail's dates.
  public var zone: String?

  public init(
    id: String,
    address: String,
    platform: Int? = nil,
    name: String? = nil,
    credentials: SubscriptionKeys? = nil,
    kind: DeviceAddressKind = .token,
    apns: APNsAddress? = nil,
    vapidKey: String? = nil,
    audience: PushAudience? = nil,
    locale: String? = nil,
    zone: String? = nil
  ) {
    self.id = id
    self.address = address
    self.platform = platform
    self.name = name
    self.credentials = credentials
    self.kind = kind
    self.apns = apns
    self.vapidKey = vapidKey
    self.audience = audience
    self.locale = locale
    self.zone = zone
  }

  /// Whose device it is; nil of a mailbox, and of a platform of another version.
  public var carrier: DevicePlatform.Carrier? { platform.flatMap(DevicePlatform.init(rawValue:))?.carrier }
}

/// How a channel asks for a person's attention, which says what may hold it back.
public enum Attention: Int, Sendable, Comparable {
  /// Not at all, as the inbox: it waits for nothing but the time that its sender set.
  case none
  /// When the person looks for it, as mail: muting, throttles, digests and waiting times count.
  case later
  /// At once, as a push: also pauses and quiet hours, and there is none for what is on the screen.
  case now

  public static func < (left: Attention, right: Attention) -> Bool { left.rawValue < right.rawValue }
}
