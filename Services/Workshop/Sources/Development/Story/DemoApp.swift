import ConsoleCommands
import Foundation
import NotificationModel
import Rules

/// Three people of nobody's story, who get what an operator's catalogue has. Their ids are texts, as those of most apps' people are.
enum DemoApp {
  static let people = [
    DemoPerson(
      id: "alex",
      name: "Alex",
      email: "alex@example.com",
      deviceToken: "demo-device-alex",
      platform: 1
    ),
    DemoPerson(
      id: "kim",
      name: "Kim",
      email: "kim@example.com",
      deviceToken: "demo-device-kim",
      platform: 2
    ),
    DemoPerson(
      id: "robin",
      name: "Robin",
      email: "robin@example.com",
      deviceToken: "demo-device-robin",
      platform: 3
    ),
  ]
  static let group = "demo:people"

  /// More buttons are no help: `belfry send` has all types.
  static let maximumTypes = 12
  static let maximumEvents = 6

  /// - Parameter name: Where the catalogue is from, for people.
  static func story(_ catalogue: Catalogue, _ own: OwnEntries, from name: String?) -> DemoStory {
    var names: Set<String> = []
    var sends = own.types.prefix(maximumTypes).map { type in
      send(type, named: unique(slug(type.name), &names))
    }
    let composer = EventComposer(catalogue: catalogue, people: people, group: group)
    let reported = own.rules.map(\.event).reduce(into: [String]()) { events, event in
      if !events.contains(where: { $0.lowercased() == event.lowercased() }) { events.append(event) }
    }
    var groups: Set<String> = []
    for type in reported.compactMap(catalogue.event).prefix(maximumEvents) {
      guard let made = composer.compose(type, now: Date()) else { continue }
      groups.formUnion(made.groups)
      sends.append(report(made.event, catalogue, named: unique(slug(type.name), &names)))
    }
    let first = own.types.first(where: \.goesOutAtOnce).flatMap { type in sends.first { $0.type == type.name } }
    if let first, let type = first.type { sends.append(burst(of: type, first, named: unique("burst", &names))) }
    let source = name.map { "the catalogue \($0)" } ?? "the catalogue in force"
    var story = DemoStory(
      catalogue,
      app: "Your app",
      lead: "Alex, Kim and Robin use your app. Its notifications are those of \(source).",
      people: people,
      group: group,
      sends: sends,
      first: first,
      choosesAllChannels: false,
      switches: DemoSwitch.allCases.filter { $0 != .reading }
    )
    story.ruleGroups = groups.subtracting([group]).sorted()
    return story
  }

  private static func send(_ type: NotificationType, named name: String) -> DemoSend {
    let data = DemoData.of(type)
    return DemoSend(name: name, label: label(type.name), words: words(type), to: people) {
      GatewaySendRequest(to: .init(group: group), type: type.name, data: data)
    }
  }

  private static func report(_ event: DemoEvent, _ catalogue: Catalogue, named name: String) -> DemoSend {
    let types = catalogue.rules.rules(on: event.name).flatMap { $0.types.sorted() }
    return DemoSend(
      name: name,
      label: "Event: \(DemoData.spaced(event.name))",
      words: "Reports \(event.name). Rules decide who gets \(types.joined(separator: ", ")).",
      to: people,
      reporting: event
    )
  }

  private static func burst(of type: String, _ one: DemoSend, named name: String) -> DemoSend {
    DemoSend(
      name: name,
      label: "60 in five seconds",
      words: "\(one.label), 20 for each of the three in one call, due one after the other: break something meanwhile.",
      to: people,
      count: 20,
      spread: .seconds(5)
    ) {
      one.requests(at: Date()).first ?? GatewaySendRequest(to: .init(group: group), type: type, data: [:])
    }
  }

  /// `Order shipped`
  private static func label(_ name: String) -> String {
    let words = DemoData.spaced(name)
    return words.isEmpty ? name : words.prefix(1).uppercased() + words.dropFirst()
  }

  private static func words(_ type: NotificationType) -> String {
    let places = [(Channel.push, "push"), (.inApp, "inbox"), (.email, "email")].filter { type.channels[$0.0] ?? false }
    let shown = places.map(\.1)
    let list = shown.count > 1 ? "\(shown.dropLast().joined(separator: ", ")) and \(shown.last ?? "")" : shown.first
    return "Type \(type.name), to all three: \(list ?? "on no channel that is on by default")."
  }

  /// `order-shipped`, for a path and a terminal.
  static func slug(_ name: String) -> String {
    let plain = DemoData.spaced(name).map { $0.isASCII ? $0 : "-" }
    let words = String(plain).split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? "type" : words.joined(separator: "-")
  }

  private static func unique(_ name: String, _ names: inout Set<String>) -> String {
    var unique = name
    var number = 2
    while !names.insert(unique).inserted {
      unique = "\(name)-\(number)"
      number += 1
    }
    return unique
  }
}

extension NotificationType {
  /// Whether its first notification is delivered at once on all of its channels.
  fileprivate var goesOutAtOnce: Bool {
    digest == nil && waits.entries.isEmpty && channels.entries.contains(where: \.value)
  }
}
