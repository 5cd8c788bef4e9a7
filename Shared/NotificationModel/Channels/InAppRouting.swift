extension Channel {
  public static let inApp = Channel(rawValue: 1)
}

/// In-app: the inbox takes everything, and open connections get it.
struct InAppRouting: RoutingChannel {
  var channel: Channel { .inApp }
  var name: String { "inApp" }
  var hasQueue: Bool { false }
  var label: String { "in-app" }

  func objection(to recipient: Recipient) -> SkipReason? { nil }

  func targets(of recipient: Recipient) -> [DeliveryTarget] { [] }
}
