/// Whom a provider's limits and troubles are about: what is slow or refused in one scope holds nothing up in another.
///
/// FCM: the project, or a topic. APNs: a pool of connections, by team, environment and key. Web Push: a push service's host.
/// Email: a recipient's domain, and the mail server as a whole.
public struct ProviderScope: Hashable, Sendable, CustomStringConvertible {
  /// The scope's name for logs and metrics, e.g. `fcm`, `apns:sandbox`, `webpush:updates.push.services.mozilla.com`.
  public let description: String
  /// Names the scopes that together have one share of the permits, all of one kind: many small ones that are silent hold no more than one.
  public let share: String
  /// The scope's name of the provider as a whole, if that has limits and troubles of its own: then both are asked.
  public let provider: String?

  /// - Parameters:
  ///   - share: Nil: the scope has one of its own.
  ///   - provider: Nil: the scope alone is asked.
  public init(_ name: String, share: String? = nil, provider: String? = nil) {
    description = name
    self.share = share ?? name
    self.provider = provider
  }

  /// Of a provider without scopes.
  public static let whole = ProviderScope("whole")

  /// The name up to a colon, e.g. `webpush`, of which there are few: what metrics tell apart, and what has a quota.
  var kind: Substring { description.prefix { $0 != ":" } }

  /// Whether it is all of its kind, as an FCM project is, and not a part, as a topic is.
  var isWhole: Bool { kind.endIndex == description.endIndex }
}
