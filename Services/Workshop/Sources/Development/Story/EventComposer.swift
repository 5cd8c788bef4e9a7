import Foundation
import BelfryJSON
import NotificationModel
import Rules
import WallClock

/// Makes an event up that rules can be evaluated by: what it must have is found by evaluating them.
struct EventComposer {
  let catalogue: Catalogue
  let people: [DemoPerson]
  /// Whom events are relayed to.
  let group: String

  /// More refusals than rules of any sense make.
  private static let maximumRounds = 64

  /// The event, and the groups that its rules notify; nil where nothing is found that all of its rules take.
  func compose(_ type: EventType, now: Date) -> (event: DemoEvent, groups: [String])? {
    let rules = catalogue.rules.rules(on: type.name)
    var payload = beginning(type, rules)
    for _ in 0..<Self.maximumRounds {
      guard let event = Self.event(type, payload, now) else { return nil }
      let evaluations = Self.evaluate(rules, event)
      guard let gap = evaluations.lazy.compactMap(\.outcome.gap).first(where: { !$0.isFilled(in: payload) }) else {
        if evaluations.contains(where: { $0.outcome.isRefused }) { return nil }
        let groups = evaluations.flatMap(\.notices).compactMap { notice in
          if case .group(let name, _) = notice.audience { name } else { nil }
        }
        let made = DemoEvent(
          name: type.name,
          audience: type.isRelayed ? group : nil,
          values: payload,
          cases: payload.keys.filter { makesCase($0, type, payload, rules, now) }.sorted()
        )
        return (made, Set(groups).sorted())
      }
      payload[gap.path] = value(for: gap, of: event, rules)
    }
    return nil
  }

  private static func event(_ type: EventType, _ payload: [String: JSONValue], _ now: Date) -> RuleEvent? {
    // What is no event at all has no rules to ask.
    try? RuleEvent(id: "demo", name: type.name, payload: json(payload), intake: now, occurredAt: now)
  }

  private static func evaluate(_ rules: [Rule], _ event: RuleEvent) -> [RuleEvaluation] {
    rules.map { rule in rule.evaluate(event, settings: RuleSettings(zone: .utc)) { _ in nil } }
  }

  /// Whether another value there is another case for a rule that remembers, and as good.
  private func makesCase(
    _ path: String,
    _ type: EventType,
    _ payload: [String: JSONValue],
    _ rules: [Rule],
    _ now: Date
  ) -> Bool {
    guard case .string(let text)? = payload[path], !people.contains(where: { $0.id == text }) else { return false }
    var other = payload
    other[path] = .string("10000")
    guard let one = Self.event(type, payload, now), let another = Self.event(type, other, now) else { return false }
    let (before, after) = (Self.evaluate(rules, one), Self.evaluate(rules, another))
    return !after.contains { $0.outcome.isRefused } && before.map(\.trace.key) != after.map(\.trace.key)
  }

  /// What the types need that the rules notify, and what the event's arguments name.
  private func beginning(_ type: EventType, _ rules: [Rule]) -> [String: JSONValue] {
    var payload: [String: JSONValue] = [:]
    for name in rules.flatMap(\.types) {
      guard let notified = catalogue.type(.name(name)) else { continue }
      for (name, text) in DemoData.of(notified) where PayloadPath(name) != nil { payload[name] = .string(text) }
    }
    for name in type.arguments where payload[name] == nil {
      payload[name] = isPerson(name) ? .string(people[0].id) : .string(DemoData.placeholder(name))
    }
    for name in type.amounts { payload[name] = .number("12.5") }
    // Any text would be somebody's id.
    for path in rules.flatMap(\.membersOfPeople) { payload[path] = .string(people[0].id) }
    return payload
  }

  private func value(for gap: Gap, of event: RuleEvent, _ rules: [Rule]) -> JSONValue {
    let isAbout = rules.contains { rule in
      do throws(RuleRefusal) {
        _ = try rule.user(of: event)
        return false
      } catch {
        return error.field == "payload.\(gap.path)"
      }
    }
    return gap.value ?? .string(isAbout || isPerson(gap.path) ? people[0].id : DemoData.placeholder(gap.path))
  }

  /// `userId`, `customerId`: what somebody is meant by.
  private func isPerson(_ name: String) -> Bool {
    let words = DemoData.spaced(name).split(separator: " ")
    let people: Set<Substring> = [
      "user", "customer", "buyer", "seller", "member", "person", "child", "parent", "recipient", "owner", "sender",
      "author", "contact", "client", "guest", "patient", "player", "student", "employee", "driver",
    ]
    return ["id", "ids"].contains(words.last) && words.contains(where: people.contains)
  }

  /// Paths with dots become objects in objects.
  static func json(_ values: [String: JSONValue]) -> JSONValue {
    var roots: [String: [String: JSONValue]] = [:]
    var members: [String: JSONValue] = [:]
    for (path, value) in values {
      let steps = path.split(separator: ".", maxSplits: 1).map(String.init)
      if steps.count == 2 { roots[steps[0], default: [:]][steps[1]] = value } else { members[path] = value }
    }
    for (root, inner) in roots { members[root] = json(inner) }
    return .object(members.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) })
  }

  /// What a rule misses in an event.
  struct Gap {
    let path: String
    /// Nil where any text will do.
    let value: JSONValue?

    func isFilled(in payload: [String: JSONValue]) -> Bool {
      guard let given = payload[path] else { return false }
      return value.map { $0 == given } ?? true
    }
  }
}

extension RuleOutcome {
  fileprivate var isRefused: Bool { if case .refused = self { true } else { false } }

  fileprivate var gap: EventComposer.Gap? {
    switch self {
    case .refused(let refusal) where refusal.field.hasPrefix("payload."):
      let path = String(refusal.field.dropFirst("payload.".count))
      return EventComposer.Gap(path: path, value: Self.value(refusal.problem))
    case .nothingToCompare(let member) where PayloadPath(member) != nil:
      return EventComposer.Gap(path: member, value: .number("10"))
    default: return nil
    }
  }

  /// By what the refusal expects.
  private static func value(_ problem: String) -> JSONValue? {
    let values: [(String, JSONValue)] = [
      ("expected a number", .number("10")), ("a date like", .string("2026-12-01")),
      ("RFC 3339", .string("2026-12-01T08:00:00Z")), ("duration", .string("PT30M")),
      ("day, week or month", .string("day")),
      ("user id", .string(DemoApp.people[0].id)),
    ]
    return values.first { problem.contains($0.0) }?.1
  }
}
