import NotificationModel
import NotificationQueue
public import Settings

/// What the push dispatcher reads for browsers' own push services.
public struct WebPushConfiguration: ServiceConfiguration {
  /// PEM file of the VAPID key with which browsers subscribe; empty: none.
  public var keyFile: String
  /// The same of the key before it, for subscriptions that were made with that one; empty: none.
  public var previousKeyFile: String
  /// How push services reach whoever runs this: a `mailto:` or `https:` address.
  public var subject: String
  var hosts: PushServiceHosts
  /// Whether push services may be in private networks.
  public var allowsPrivateEndpoints: Bool
  public var caFile: String
  public var concurrency: Int
  public var connections: Int
  public var requestTimeout: Duration

  public init(_ settings: Settings) {
    keyFile = settings.string(
      "push.webpush.keyFile",
      default: "",
      "PEM file of the VAPID key, as belfry vapid makes it. Required where BELFRY_PUSH_PROVIDERS names webPush; its public half is "
        + "BELFRY_GATEWAY_VAPID_PUBLIC_KEY."
    )
    previousKeyFile = settings.string(
      "push.webpush.previousKeyFile",
      default: "",
      "PEM file of the VAPID key that was in use before, for the subscriptions that were made with it; empty: none."
    )
    subject = settings.string(
      "push.webpush.subject",
      default: "",
      "How push services reach you about your pushes: mailto:… or https://…. Required where BELFRY_PUSH_PROVIDERS names webPush."
    )
    hosts = PushServiceHosts(settings)
    allowsPrivateEndpoints = settings.boolean(
      "push.webpush.privateEndpoints",
      default: false,
      "Whether hosts may lead into private networks or to this machine: for a push service of your own in there."
    )
    caFile = settings.string(
      "push.webpush.caFile",
      default: "",
      "PEM file of the certificate authorities of all push services, in place of the system's: append yours to the system's file."
    )
    concurrency = settings.integer(
      "push.webpush.concurrency",
      default: 200,
      in: 1...10_000,
      "Concurrent pushes to push services, all together."
    )
    connections = settings.integer(
      "push.webpush.connections",
      default: 4,
      in: 1...100,
      "Connections to each push service at most; of HTTP/2 each carries 100 pushes at once, of HTTP/1.1 one."
    )
    requestTimeout = settings.duration(
      "push.webpush.requestTimeout",
      default: .seconds(15),
      in: .seconds(1) ... .seconds(120),
      "How long a push service may take to answer, shorter than BELFRY_SERVICE_SHUTDOWN_DEADLINE."
    )
    settings.require(
      "push.webpush.requestTimeout",
      shorterThan: "service.shutdownDeadline",
      "a push in flight at a shutdown could not end, and would be sent again."
    )
    if !subject.isEmpty, !Self.isSubject(subject) {
      settings.problem(
        "BELFRY_PUSH_WEBPUSH_SUBJECT: expected mailto:you@example.com or https://example.com, without blanks, brackets and quotes, "
          + "and not of localhost: push services refuse those"
      )
    }
  }

  /// Whether every push service takes it: Apple's refuses blanks, brackets and localhost.
  static func isSubject(_ text: String) -> Bool {
    let address =
      ["mailto:", "https://"].lazy.compactMap { text.hasPrefix($0) ? text.dropFirst($0.count) : nil }.first
    guard let address, text.utf8.count <= 255,
      address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"<>()[]\"\\".utf8.contains($0) })
    else { return false }
    let isMail = text.hasPrefix("mailto:")
    let domain =
      isMail
      ? address.split(separator: "@", omittingEmptySubsequences: false).dropFirst().last ?? ""
      : address.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
    return !domain.isEmpty && domain.contains(".") && !domain.hasSuffix(".")
      && !domain.lowercased().hasSuffix(".localhost")
  }

  /// Reports what pushes to browsers cannot do without, where they are sent.
  func requireKey(_ settings: Settings) {
    for (name, value) in [("KEY_FILE", keyFile), ("SUBJECT", subject)] where value.isEmpty {
      settings.problem("BELFRY_PUSH_WEBPUSH_\(name) is required: \(Self.remedy)")
    }
  }

  /// What to do where there is no key.
  static let remedy = "make a key with belfry vapid, see docs/push.md, or leave webPush out of BELFRY_PUSH_PROVIDERS"
}
