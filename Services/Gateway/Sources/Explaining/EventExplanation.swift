import Foundation
import BelfryJSON
import NotificationModel
import NotificationStore
import Rules
import UserIdentity
import WallClock

/// What would follow from an event.
struct EventExplanation: Sendable {
  let event: EventType
  let at: Date
  /// Whom the event names by ids that others may stand for as well.
  let named: [UserIdentifier]
  /// One for each rule on the event, by name.
  let rules: [ExplainedRule]

  /// Everybody whom it names.
  var users: [UserID] {
    rules.flatMap { rule in
      let told = rule.evaluation.notices.flatMap { notice in
        switch notice.audience {
        case .users(let users): users
        case .group(_, let except): except
        }
      }
      return ((rule.user.map { [$0] } ?? []) + told).map { UserID($0) }
    }
  }

  func write(to writer: inout JSONWriter, _ texts: UserTexts) {
    writer.object { writer in
      writer.field("event", event.name)
      writer.field("at", at.rfc3339)
      writer.field("relayed", event.isRelayed)
      writer.array("rules") { writer in
        for rule in rules {
          writer.object { rule.write(to: &$0, texts) }
        }
      }
    }
  }
}

/// What one rule would do.
struct ExplainedRule: Sendable {
  /// Whom it is about; nil for nobody in particular, or if the event does not say.
  let user: UUID?
  /// What it took for the user's zone.
  let zone: Zone
  let evaluation: RuleEvaluation

  /// Fields of an object that is begun.
  fileprivate func write(to writer: inout JSONWriter, _ texts: UserTexts) {
    let trace = evaluation.trace
    writer.field("rule", trace.rule)
    writer.field("fired", trace.outcome.hasNotified)
    writer.field("outcome", trace.outcome.code)
    writer.field("words", trace.description)
    writer.nullableField("userId", user.map { texts[UserID($0)] })
    writer.nullableField("key", trace.key?.key)
    writer.field("timezone", zone.identifier)
    writer.array("notices") { writer in
      for notice in evaluation.notices { notice.write(to: &writer, texts) }
    }
    for case .schedule(let timer, _) in evaluation.effects {
      writer.object("next") { writer in
        writer.field("what", timer.what)
        writer.field("at", timer.at.rfc3339)
        writer.field("localTime", zone.spoken(timer.at))
      }
    }
  }
}

extension RuleNotice {
  fileprivate func write(to writer: inout JSONWriter, _ texts: UserTexts) {
    writer.object { writer in
      writer.field("type", type)
      writer.object("to") { writer in
        switch audience {
        case .users(let users): writer.users("users", users, texts)
        case .group(let group, let except):
          writer.field("group", group)
          writer.users("except", except, texts)
        }
      }
      writer.key("data")
      writer.raw(JSONWriter.object(data.mapValues(\.unformatted)))
      writer.nullableField("relatedEntityType", about?.type)
      writer.nullableField("relatedEntityId", about?.id)
      writer.field("at", at.rfc3339)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func users(_ name: StaticString, _ users: [UUID], _ texts: UserTexts) {
    array(name) { writer in
      for user in users { writer.string(texts[UserID(user)]) }
    }
  }
}
