/// What pushes to a browser's subscription are encrypted with (RFC 8291): the members `p256dh` and `auth` of its `keys`, in
/// base64url without padding. Secrets of the browser, never logged.
public struct SubscriptionKeys: Sendable, Equatable {
  public var p256dh: String
  public var auth: String

  public init(p256dh: String, auth: String) {
    self.p256dh = p256dh
    self.auth = auth
  }
}
