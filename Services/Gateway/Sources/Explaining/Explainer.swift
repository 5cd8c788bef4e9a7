import Foundation
import NotificationModel
import NotificationStore
import Rules
import WallClock

/// Answers what would be decided, from what the router reads and by the rules that the router asks. It stores nothing and
/// tells nobody.
struct Explainer: Sendable {
  let catalogue: Catalogue
  let recipients: RecipientStore
  let users: UserStore
  let presence: PresenceStore
  let states: any RuleStateReading

  /// As long as routing waits for it; then the answer is an error, for an explanation that guesses is none.
  private static let presenceTimeout: Duration = .seconds(1)

  // MARK: A send

  /// - Parameter at: Nil is now. Who has what on the screen is known of now alone, so at another time nobody has.
  /// - Throws: `ValidationError` for a type that the catalogue has not.
  func explain(_ send: SendRequest, to user: UserID, at: Date?, now: Date) async throws -> SendExplanation {
    guard let type = catalogue.type(send.type) else {
      throw ValidationError([FieldError("type", "\(send.type) is not in the catalogue")])
    }
    let time = at ?? now
    let entity = send.relatedEntityType.flatMap { type in
      send.relatedEntityID.flatMap { ViewedEntity(type: type, id: $0) }
    }
    let subject = DecisionSubject(
      type: type,
      requested: send.channels,
      about: entity,
      createdAt: time,
      expiresAt: send.expiresAt ?? time + TimeInterval(type.timeToLive),
      now: time
    )
    var recipient = try await recipient(user, type: type.code)
    if entity != nil, at == nil {
      recipient.viewing = try await presence.viewed(by: [user], timeout: Self.presenceTimeout)[user] ?? []
    }
    let input = DecisionInput(subject, to: recipient, state: try await state(of: send, type: type, user: user))
    return SendExplanation(
      user: user,
      type: type,
      at: time,
      zone: input.zone,
      missing: type.template.missing(in: send.data, hasTitle: send.title != nil, hasBody: send.body != nil),
      explanation: Explanation(input)
    )
  }

  /// The zone in which a user is told of times.
  func zone(of user: UserID) async throws -> Zone {
    // Of whatever type: the zone is the user's.
    let recipient = try await recipient(user, type: 0)
    return recipient.zone ?? recipient.quietHours?.zone ?? .utc
  }

  /// What the router would know of the user.
  private func recipient(_ user: UserID, type: Int) async throws -> Recipient {
    let key = RecipientStore.Key(user: user, type: type)
    var recipient = try await recipients.recipients(for: [key])[key] ?? Recipient(id: user)
    if recipient.zone == nil { recipient.zone = try await users.profile(of: user)?.timezone.flatMap { Zone($0) } }
    return recipient
  }

  /// What is counted and gathered for the user: nothing yet.
  private func state(of send: SendRequest, type: NotificationType, user: UserID) async throws -> DecisionState {
    DecisionState(throttle: nil, digest: nil)
  }

  // MARK: An event

  /// What each rule on the event would do.
  ///
  /// - Parameter at: When the event would be reported; nil is now.
  /// - Throws: `ValidationError` for an event that the catalogue has not, or that no rule could be asked about.
  func judge(_ event: EventDryRun, at: Date?, now: Date) async throws -> EventExplanation {
    guard let known = catalogue.event(event.name) else {
      throw ValidationError([FieldError("event.name", "'\(event.name)' is not an event of the catalogue")])
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
      let zone = settings[user]?.zone ?? .utc
      if let key = Self.known({ () throws(RuleRefusal) in try rule.stateKey(of: input, zone: zone) }) {
        keys.append(key)
      }
    }
    let states = keys.isEmpty ? [:] : try await states.states(of: keys)
    return EventExplanation(
      event: known,
      at: time,
      judgements: rules.map { rule in
        let user = Self.known { () throws(RuleRefusal) in try rule.user(of: input) }
        let settings = settings[user] ?? RuleSettings(zone: .utc)
        return RuleJudgement(
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
    let zone: Zone = if let user { try await zone(of: UserID(user)) } else { .utc }
    return RuleSettings(zone: zone, numbers: ["lowBalanceThreshold": Self.threshold])
  }

  private static let threshold: ExactNumber = {
    guard let number = ExactNumber("\(CoarseSettings.firstThreshold)") else { preconditionFailure("a whole number") }
    return number
  }()
}
