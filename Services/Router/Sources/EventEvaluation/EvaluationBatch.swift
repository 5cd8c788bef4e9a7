import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import UserIdentity

/// Events of one transaction with the rules that look at them. Pure.
struct EvaluationBatch {
  /// What came of the events.
  struct Result {
    /// Why an event cannot be evaluated, by its position.
    var refusals: [RuleRefusal?]
    /// How many events led to notices.
    var fired = 0
    /// Notices that are stored with the states that remember them.
    var stored: [NoticeRequest] = []
    /// Notices of rules that remember nothing: whoever evaluates the event again makes them again.
    var others: [NoticeRequest] = []
  }

  /// One rule's look at one event.
  private struct Look {
    var rule: Rule
    var event: RuleEvent
    var key: RuleStateKey?
    var settings: RuleSettings
  }

  /// A rule that looks at an event, whom it is about, and the names that it wants.
  private struct Subject {
    var rule: Rule
    var user: UUID?
    var names: [(member: String, user: UserIdentifier)]
  }

  private let events: [RuleEvent]
  private let catalogueVersion: Int?
  private var subjects: [[Subject]] = []
  private var refusals: [RuleRefusal?]
  private var looks: [[Look]] = []
  /// Whose settings or names must be known.
  private(set) var people: [UserID] = []
  /// Which states must be known.
  private(set) var keys: Set<RuleStateKey> = []

  /// - Parameter catalogueVersion: That which has the rules.
  init(_ events: [RuleEvent], _ rules: RuleSet, catalogueVersion: Int? = nil) {
    self.events = events
    self.catalogueVersion = catalogueVersion
    refusals = Array(repeating: nil, count: events.count)
    subjects.reserveCapacity(events.count)
    var people: Set<UserID> = []
    for index in events.indices {
      var subjects: [Subject] = []
      do throws(RuleRefusal) {
        for rule in rules.rules(on: events[index].name) {
          let subject = Subject(
            rule: rule,
            user: try rule.user(of: events[index]),
            names: rule.missingNames(of: events[index])
          )
          if let user = subject.user { people.insert(UserID(user)) }
          for name in subject.names { people.insert(UserID(name.user.uuid)) }
          subjects.append(subject)
        }
      } catch {
        refusals[index] = error
      }
      self.subjects.append(subjects)
    }
    self.people = Array(people)
  }

  /// Takes in what is known of the people: what a day is depends on it, and with it which states are asked for.
  mutating func meet(_ people: RulePeople) {
    looks = []
    looks.reserveCapacity(events.count)
    for index in events.indices {
      var looks: [Look] = []
      do throws(RuleRefusal) {
        for subject in refusals[index] == nil ? subjects[index] : [] {
          let settings = people.settings(of: subject.user)
          let key = try subject.rule.stateKey(of: events[index], zone: settings.zone)
          var names: [String: String] = [:]
          for name in subject.names { names[name.member] = people.name(of: name.user.uuid) }
          let event = names.isEmpty ? events[index] : events[index].adding(names)
          looks.append(Look(rule: subject.rule, event: event, key: key, settings: settings))
          if let key { keys.insert(key) }
        }
      } catch {
        refusals[index] = error
      }
      self.looks.append(looks)
    }
  }

  /// Evaluates the events in their order, each on top of what those before it left.
  ///
  /// - Parameter stored: The states there are.
  /// - Throws: ``RuleStateError`` for one that cannot be read.
  func decide(_ stored: [RuleStateKey: String]) throws -> (changes: RuleStore.Changes, result: Result) {
    var states: [RuleStateKey: RuleState] = [:]
    for (key, text) in stored { states[key] = try RuleState(json: text) }
    var changes = RuleStore.Changes()
    var result = Result(refusals: refusals)
    for index in events.indices where refusals[index] == nil {
      var (changed, lasting, passing): ([RuleStateKey: RuleState], [RuleNotice], [RuleNotice]) = ([:], [], [])
      for look in looks[index] {
        let evaluation = look.rule.evaluate(
          .event(look.event),
          key: look.key,
          state: look.key.flatMap { states[$0] },
          settings: look.settings
        )
        if case .refused(let refusal) = evaluation.outcome {
          result.refusals[index] = refusal
          break
        }
        if look.key == nil { passing += evaluation.notices } else { lasting += evaluation.notices }
        if let key = look.key, evaluation.isStateChanged { changed[key] = evaluation.state }
      }
      guard result.refusals[index] == nil else { continue }
      states.merge(changed) { $1 }
      changes.states.merge(changed) { $1 }
      if !lasting.isEmpty || !passing.isEmpty { result.fired += 1 }
      result.stored += lasting.map { NoticeRequest($0, catalogueVersion: catalogueVersion) }
      result.others += passing.map { NoticeRequest($0, catalogueVersion: catalogueVersion) }
    }
    changes.notices = result.stored.map(RuleStore.Notice.init)
    return (changes, result)
  }
}

extension RuleStore.Notice {
  init(_ notice: RuleNotice, catalogueVersion: Int?) {
    self.init(NoticeRequest(notice, catalogueVersion: catalogueVersion))
  }

  init(_ request: NoticeRequest) { self.init(id: request.requestId, body: QueueCoder.encode(request)) }
}
