public import Foundation
public import UserIdentity
public import WallClock
import BelfryJSON

/// What the catalogue says should follow from an event: checked, immutable, and evaluated without I/O or a clock.
public struct Rule: Sendable, Equatable {
  /// 1 to 64 lower-case letters, digits and `-`: part of every id, so a rule with another name is another rule.
  public let name: String
  public let trigger: RuleTrigger
  let user: RuleTemplate?
  let key: RuleTemplate?
  let lets: [String: RuleComputation]
  let unless: [PayloadPath]
  /// Members that a profile's name stands in for where the event has none, and whose profile: see ``missingNames(of:)``.
  let names: [String: PayloadPath]
  let condition: RuleCondition
  /// Nil means all of the payload's plain values, those of `let`, and what the engine knows.
  let data: [String: RuleTemplate]?
  let notices: RuleNotices

  /// Names of the catalogue's types that the rule notifies.
  public var types: Set<String> { Set(notices.all.map(\.type)) }

  /// Whether the rule has states: one per user and key.
  public var isStateful: Bool {
    if case .absence = trigger { return true }
    switch condition {
    case .always, .atLeast: return false
    case .crosses, .reaches, .streak, .once, .exceeds, .remind: return true
    }
  }

  /// The event that the rule looks at.
  public var event: String {
    switch trigger {
    case .event(let name): name
    case .absence(let absence): absence.event
    }
  }

  /// Whom an event is about; nil for a rule about nobody in particular.
  ///
  /// - Throws: ``RuleRefusal`` for a payload that does not say, or says something that is no user's id.
  public func user(of event: RuleEvent) throws(RuleRefusal) -> UUID? {
    try subject(of: event)?.uuid
  }

  /// ``user(of:)`` as the event names them.
  public func subject(of event: RuleEvent) throws(RuleRefusal) -> UserIdentifier? {
    try subject(in: event.payload)
  }

  func subject(in payload: JSONValue) throws(RuleRefusal) -> UserIdentifier? {
    guard let user, let place = user.bare else { return nil }
    guard let text = try variables(of: payload).text(user) else {
      throw RuleRefusal(payload: place.path, "is missing")
    }
    guard let user = UserIdentifier(text) else {
      throw RuleRefusal(payload: place.path, "expected \(UserIdentifier.expectation)")
    }
    return user
  }

  /// Which state an event is evaluated by; nil if the rule has none, or no need of one for this event.
  ///
  /// - Throws: ``RuleRefusal`` as ``user(of:)``, for a key that cannot be made, and for a period nobody knows.
  public func stateKey(of event: RuleEvent, zone: Zone) throws(RuleRefusal) -> RuleStateKey? {
    guard isStateful, let user = try user(of: event) else { return nil }
    let variables = variables(of: event.payload)
    var text = ""
    if let key { text = try variables.text(key) ?? "" }
    if let period = try period(of: event, zone: zone) { text += "@\(period.name):\(period.end)" }
    guard text.utf8.count <= RuleStateKey.maximumLength, !text.hasControlCharacters else {
      throw RuleRefusal("payload", "the rule's key has control characters or over \(RuleStateKey.maximumLength) bytes")
    }
    return RuleStateKey(rule: name, user: user, key: text)
  }

  /// The person's local period in which an event happened; nil if the rule counts none.
  func period(of event: RuleEvent, zone: Zone) throws(RuleRefusal) -> (name: String, end: LocalDate)? {
    let source: RulePeriodSource?
    switch condition {
    case .once(let period): source = period
    case .exceeds(_, _, let period): source = period
    case .always, .atLeast, .crosses, .reaches, .streak, .remind: source = nil
    }
    guard let period = try source?.period(variables(of: event.payload)) else { return nil }
    return (period.rawValue, period.end(of: zone.localDate(at: event.occurredAt)))
  }

  func variables(of payload: JSONValue, known: [String: String] = [:]) -> RuleVariables {
    RuleVariables(payload: payload, lets: lets, known: known)
  }
}
