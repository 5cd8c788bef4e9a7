extension Channel {
  public static let inApp = Channel(rawValue: 1)
}

/// In-app: the inbox takes everything, and open connections are told.
struct InAppRouting: RoutingChannel {
  let channel = Channel.inApp
  let name = "inApp"
  let hasQueue = false

  func objection(to recipient: Recipient, about entity: ViewedEntity?) -> SkipReason? { nil }

  func targets(of recipient: Recipient) -> [DeliveryTarget] { [] }
}
