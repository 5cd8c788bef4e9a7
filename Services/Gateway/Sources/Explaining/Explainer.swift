import Foundation
import NotificationModel
import NotificationStore
import Rules
import UserIdentity
import WallClock

/// Answers what would be decided, from what the router reads and by the rules that the router asks. It stores nothing and
/// notifies nobody.
struct Explainer: Sendable {
  let catalogue: Catalogue
  let recipients: RecipientStore
  let presence: PresenceStore
  let held: HeldStore
  let rules: RuleStore
  /// Of who has none in the profile.
  let zone: Zone
  /// As the router has them.
  let channels: [any RoutingChannel]

  /// As long as routing waits for it; then the answer is an error, for an explanation that guesses is none.
  private static let presenceTimeout: Duration = .seconds(1)

  // MARK: A send

  /// - Parameter at: Nil is now. Who has what on the screen is known of now alone, so at another time nobody has.
  /// - Throws: `ValidationError` for a type that the catalogue has not.
  func explain(_ send: SendRequest, to named: UserIdentifier, at: Date?, now: Date) async throws -> SendExplanation {
    let user = UserID(named.uuid)
    guard let type = catalogue.type(send.type) else {
      throw ValidationError([FieldError("type", catalogue.unknown(type: send.type))])
    }
    let time = at ?? now
    let entity = send.relatedEntityType.flatMap { type in
      send.relatedEntityID.flatMap { RelatedEntity(type: type, id: $0) }
    }
    let subject = DecisionSubject(
      type: type,
      requested: send.channels,
      about: entity,
      createdAt: time,
      expiresAt: send.expiresAt ?? (send.sendAt ?? time) + TimeInterval(type.timeToLive),
      sendAt: send.sendAt,
      isSilent: send.isSilent,
      now: time
    )
    var recipient = try await recipient(user, about: subject)
    if entity != nil, at == nil {
      recipient.viewing = try await presence.viewed(by: [user], timeout: Self.presenceTimeout)[user] ?? []
    }
    let text = type.template.render(
      title: send.title,
      body: send.body,
      data: send.data,
      locale: recipient.locale,
      timeZone: recipient.zone.flatMap { TimeZone(identifier: $0.identifier) }
    )
    let input = DecisionInput(
      subject,
      to: recipient,
      state: try await state(of: send, type: type, user: user, now: time),
      isTextTooLong: !text.excess.isEmpty
    )
    return SendExplanation(
      user: named,
      type: type,
      at: time,
      zone: input.zone,
      hasProfile: try await rules.people([user])[user] != nil,
      missing: type.template.missing(in: send.data, hasTitle: send.title != nil, hasBody: send.body != nil),
      explanation: Explanation(input, channels: channels),
      channels: channels
    )
  }

  /// The zone in which a user reads times.
  func zone(of user: UserID) async throws -> Zone {
    try await rules.people([user])[user]?.zone.flatMap { Zone($0) } ?? zone
  }

  /// What the router would know of the user.
  private func recipient(_ user: UserID, about subject: DecisionSubject) async throws -> Recipient {
    let key = RecipientStore.Key(user, about: subject)
    return try await recipients.recipients(for: [key])[key] ?? Recipient(id: user)
  }

  /// What is counted and gathered for the user.
  private func state(of send: SendRequest, type: NotificationType, user: UserID, now: Date) async throws
    -> DecisionState
  {
    var state = DecisionState()
    if let throttle = type.throttle {
      let key = throttle.key?.key(send.data) ?? ""
      state.throttle = try await held.use(of: throttle, by: user, type: type.code, key: key, now: now)
    }
    if let digest = type.digest {
      let key = digest.key?.key(send.data) ?? ""
      let window = HeldStore.WindowKey(user: user, channel: digest.channel, type: type.code, key: key)
      state.digest = try await held.windows([window], now: now)[window]
    }
    return state
  }

  // MARK: An event

  /// What each rule on the event would do.
  ///
  /// - Parameter at: When the event would be reported; nil is now.
  /// - Throws: `ValidationError` for an event that the catalogue has not, or that no rule could be asked about.
  func evaluate(_ event: EventDryRun, at: Date?, now: Date) async throws -> EventExplanation {
    guard let known = catalogue.event(event.name) else {
      throw ValidationError([FieldError("event.name", catalogue.unknown(event: event.name))])
    }
    let time = at ?? now
    let input: RuleEvent
    do throws(RuleRefusal) {
      input = try RuleEvent(
        id: event.id ?? RequestID(now: time).description,
        name: known.name,
        payload: event.payload,
        intake: time,
        occurredAt: event.occurredAt ?? time
      )
    } catch {
      throw ValidationError([FieldError("event", "\(error)")])
    }
    let rules = catalogue.rules.rules(on: known.name)
    var settings: [UUID?: RuleSettings] = [:]
    var keys: [RuleStateKey] = []
    for rule in rules {
      let user = Self.known { () throws(RuleRefusal) in try rule.user(of: input) }
      if settings[user] == nil { settings[user] = try await self.settings(of: user) }
      let zone = settings[user]?.zone ?? zone
      if let key = Self.known({ () throws(RuleRefusal) in try rule.stateKey(of: input, zone: zone) }) {
        keys.append(key)
      }
    }
    var states: [RuleStateKey: RuleState] = [:]
    for (key, json) in keys.isEmpty ? [:] : try await self.rules.states(of: keys) {
      do throws(RuleStateError) {
        states[key] = try RuleState(json: json)
      } catch {
        throw ValidationError([FieldError("event", "what rule \(key.rule) remembers cannot be read: \(error)")])
      }
    }
    return EventExplanation(
      event: known,
      at: time,
      named: rules.flatMap { $0.contestableUsers(in: event.payload) },
      rules: rules.map { rule in
        let user = Self.known { () throws(RuleRefusal) in try rule.user(of: input) }
        let settings = settings[user] ?? RuleSettings(zone: zone, declared: catalogue.settings)
        return ExplainedRule(
          user: user,
          zone: settings.zone,
          evaluation: rule.evaluate(input, settings: settings) { states[$0] }
        )
      }
    )
  }

  /// A refusal comes again with the evaluation, in words.
  private static func known<Value>(_ body: () throws(RuleRefusal) -> Value?) -> Value? {
    do throws(RuleRefusal) {
      return try body()
    } catch {
      return nil
    }
  }

  /// - Parameter user: Nil for a rule about nobody in particular.
  private func settings(of user: UUID?) async throws -> RuleSettings {
    guard let user = user.map({ UserID($0) }), let person = try await rules.people([user])[user] else {
      return RuleSettings(zone: zone, declared: catalogue.settings)
    }
    let own = person.zone.flatMap { Zone($0) }
    return RuleSettings(zone: own ?? zone, stored: person.numbers, declared: catalogue.settings)
  }
}
