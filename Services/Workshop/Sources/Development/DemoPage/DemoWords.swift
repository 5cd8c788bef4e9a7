import NotificationModel

/// What the steps of a trace say, where the product itself has no words for it.
enum DemoWords {
  static func arrival(on channel: Channel, of member: DemoFamily.Member) -> String {
    switch channel {
    case .push: "FCM took it for the phone"
    case .email: "the mail server took it"
    default: "in the inbox, where the bell shows it"
    }
  }

  static let accepted = "The gateway took it, and has it stored: in RabbitMQ, or in PostgreSQL until it is due."
  static let routed = "A router decided for whom, on which channels and when, and stored it."
  static let released = "sent now: what it waited for is over"
  static let exhausted = "given up after all attempts, and parked: belfry dead has it"

  static func refusal(_ status: Int?) -> String {
    "\(status.map { "FCM answered \($0)" } ?? "FCM did not answer"): it waits and is tried again"
  }

  static func unregistered(_ member: DemoFamily.Member) -> String { "FCM says that the app is gone from this phone" }
  static func removed(_ member: DemoFamily.Member) -> String { "Belfry removed \(member.name)'s phone" }
}
