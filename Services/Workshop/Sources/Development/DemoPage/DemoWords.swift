import NotificationModel
import WallClock

/// What the steps of a trace say, where the product itself has no words for it.
enum DemoWords {
  static func arrival(on channel: Channel, of member: DemoPerson) -> String {
    switch channel {
    case .push: "\(member.carrier.service) took it for the \(member.device)"
    case .email: "the mail server took it"
    default: "in the inbox, which the bell shows"
    }
  }

  static let accepted = "The gateway took it, and has it stored: in RabbitMQ, or in PostgreSQL until it is due."
  static let routed = "A router decided for whom, on which channels and when, and stored it."
  static let released = "sent now: what it waited for is over"
  static let exhausted = "given up after all attempts, and dead-lettered: belfry dead has it"

  static func refusal(_ status: Int?, by carrier: DevicePlatform.Carrier) -> String {
    "\(carrier.service) \(status.map { "answered \($0)" } ?? "did not answer"): it waits and is tried again"
  }

  static func unregistered(_ member: DemoPerson) -> String {
    let what = member.isBrowser ? "this browser has no subscription any more" : "the app is gone from this phone"
    return "\(member.carrier.service) says that \(what)"
  }
  static func removed(_ member: DemoPerson) -> String { "Belfry removed \(member.name)’s \(member.device)" }

  /// What the product says of a channel. Whose choice it is that one is off is not stored, but what the type has by default tells it.
  static func decided(_ line: Explanation.Line, of type: NotificationType?, for member: DemoPerson) -> String {
    guard let type, line.decision == .skip(.preferenceOff) else { return line.words }
    let isOn = type.channels[line.channel] ?? false
    let whose = isOn ? "\(member.name) switched it off" : "it is off by default"
    return line.words.replacing(SkipReason.preferenceOff.words, with: whose)
  }

  /// What the product says, in the page's words, and with a place that people know where it names a zone: `07:00 in New York`.
  static func plain(_ words: String, _ zone: Zone) -> String {
    let named = words.replacing(zone.identifier, with: "in \(DemoNight.name(of: zone.identifier))")
    let label = "\(Channel.inApp.label) "
    return named.hasPrefix(label) ? "inbox \(named.dropFirst(label.count))" : named
  }
}
