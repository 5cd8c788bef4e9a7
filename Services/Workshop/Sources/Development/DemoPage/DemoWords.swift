import NotificationModel
import WallClock

/// What the steps of a trace say, where the product itself has no words for it.
enum DemoWords {
  static func arrival(on channel: Channel, of member: DemoPerson) -> String {
    switch channel {
    case .push: "FCM took it for the \(member.device)"
    case .email: "the mail server took it"
    default: "in the inbox, where the bell shows it"
    }
  }

  static let accepted = "The gateway took it, and has it stored: in RabbitMQ, or in PostgreSQL until it is due."
  static let routed = "A router decided for whom, on which channels and when, and stored it."
  static let released = "sent now: what it waited for is over"
  static let exhausted = "given up after all attempts, and dead-lettered: belfry dead has it"

  static func refusal(_ status: Int?) -> String {
    "\(status.map { "FCM answered \($0)" } ?? "FCM did not answer"): it waits and is tried again"
  }

  static func unregistered(_ member: DemoPerson) -> String {
    "FCM says that the app is gone from this \(member.device)"
  }
  static func removed(_ member: DemoPerson) -> String { "Belfry removed \(member.name)’s \(member.device)" }

  /// What the product says, with a place that people know where it names a zone: `07:00 in New York`.
  static func plain(_ words: String, _ zone: Zone) -> String {
    words.replacing(zone.identifier, with: "in \(DemoNight.name(of: zone.identifier))")
  }
}
