public import Foundation
public import WallClock

/// What routing must know about a person. A person without a profile has these defaults and can be reached in-app and by push.
public struct Recipient: Sendable {
  public var id: UserID
  public var displayName: String?
  /// Of the channels that reach people at an address of their profile.
  public var addresses = PerChannel<ChannelAddress>()
  /// The master switch: false silences everything.
  public var isEnabled = true
  /// Until when the recipient wants quiet; nil, or a time that has passed, is not at all.
  public var pausedUntil: Date?
  /// The recipient's choices for the type at hand. They come before those for its category, and these before the catalogue's.
  public var typeChoices = ChannelChoices()
  /// The recipient's choices for the category of the type at hand.
  public var categoryChoices = ChannelChoices()
  /// Those that are switched on.
  public var quietHours: QuietHours?
  /// What the recipient muted, and until when: `distantFuture` is for good. What is not about the request at hand may be
  /// left out.
  public var mutes: [RelatedEntity: Date] = [:]
  /// As in BCP 47, e.g. `de-AT`.
  public var locale: String?
  /// By whose clocks the recipient lives; nil if neither the profile nor the deployment says.
  public var zone: Zone?
  /// Whether pushes make a sound.
  public var isSoundEnabled = true
  /// Whether pushes set the number on the app's icon.
  public var isBadgeEnabled = true
  /// Grows when quiet hours, zone, pause or master switch change: a decision that made something wait names it.
  public var settingsRevision = 0
  /// Active devices only.
  public var devices: [Device] = []
  /// What the recipient has on a screen right now.
  public var viewing: Set<RelatedEntity> = []

  public init(id: UserID) {
    self.id = id
  }

  /// Whoever gets another keeps what is known of the former: ``emailSuppression`` is set beside it.
  public var email: String? {
    get { addresses[.email]?.text }
    set { addresses[.email] = newValue.map { ChannelAddress($0, suppression: emailSuppression) } }
  }

  /// Why the address gets no mail, or none that may be unsubscribed. Without an address there is nothing to suppress.
  public var emailSuppression: AddressSuppression? {
    get { addresses[.email]?.suppression }
    set { addresses[.email]?.suppression = newValue }
  }

  /// Whether the address gets no mail at all: after a hard bounce, or by an operator.
  public var isEmailSuppressed: Bool { addresses[.email]?.isSuppressed ?? false }
}

/// A registered device that can receive pushes.
public struct Device: Sendable, Equatable {
  public var id: DeviceID
  /// FCM registration token, APNs token, or endpoint of a browser's subscription: a secret of the device, never logged.
  public var token: String
  public var platform: DevicePlatform
  /// Of a browser's subscription.
  public var credentials: SubscriptionKeys?
  /// What the token is to FCM.
  public var kind: DeviceAddressKind
  /// Of a device of APNs.
  public var apns: APNsAddress?
  /// Of a browser's subscription: id of the VAPID key that it was made with.
  public var vapidKey: String?
  /// The app's own id, by which devices are known that are one app on one phone; nil if the app does not say.
  public var installation: UUID?

  public init(
    id: DeviceID,
    token: String,
    platform: DevicePlatform,
    credentials: SubscriptionKeys? = nil,
    kind: DeviceAddressKind = .token,
    apns: APNsAddress? = nil,
    vapidKey: String? = nil,
    installation: UUID? = nil
  ) {
    self.id = id
    self.token = token
    self.platform = platform
    self.credentials = credentials
    self.kind = kind
    self.apns = apns
    self.vapidKey = vapidKey
    self.installation = installation
  }
}
