import Foundation
import BelfryJSON
import NotificationModel
import UserIdentity
import WallClock

/// What would become of a send to one person.
struct SendExplanation: Sendable {
  let user: UserIdentifier
  let type: NotificationType
  /// The moment that was asked about.
  let at: Date
  let zone: Zone
  /// Whether the backend, or the user, has reported anything of the user.
  let hasProfile: Bool
  /// What the texts need and the data lacks: a send would be refused for it.
  let missing: [String]
  let explanation: Explanation
  let channels: [any RoutingChannel]

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("userId", user.description)
      writer.field("type", type.code)
      writer.field("typeName", type.name)
      writer.field("at", at.rfc3339)
      writer.field("timezone", zone.identifier)
      writer.field("localTime", zone.spoken(at))
      writer.field("hasProfile", hasProfile)
      writer.array("missingData") { writer in
        for name in missing { writer.string(name) }
      }
      writer.array("channels") { writer in
        for line in explanation.lines {
          writer.object { line.write(to: &$0, among: channels) }
        }
      }
      writer.array("trace") { writer in
        for step in explanation.trace.steps {
          writer.object { step.write(to: &$0, among: channels) }
        }
      }
    }
  }
}

extension Explanation.Line {
  /// Fields of an object that is begun.
  func write(to writer: inout JSONWriter, among channels: [any RoutingChannel]) {
    writer.field("channel", channel.rawValue)
    writer.field("channelName", channel.name(among: channels))
    writer.field("decision", verb)
    writer.nullableField("reason", reason)
    writer.nullableField("until", until?.rfc3339)
    writer.optionalField("since", since?.rfc3339)
    writer.nullableField("rule", rule)
    writer.field("words", words)
  }
}

extension DecisionTrace.Step {
  /// Fields of an object that is begun.
  fileprivate func write(to writer: inout JSONWriter, among channels: [any RoutingChannel]) {
    writer.field("channel", channel.rawValue)
    writer.field("channelName", channel.name(among: channels))
    writer.field("rule", rule)
    writer.field("saw", saw)
    switch said {
    case .pass: writer.field("said", "pass")
    case .skip(let reason):
      writer.field("said", "skip")
      writer.field("reason", reason.name)
    case .hold(let until, let reason):
      writer.field("said", "hold")
      writer.field("reason", reason.name)
      writer.field("until", until.rfc3339)
    }
  }
}
