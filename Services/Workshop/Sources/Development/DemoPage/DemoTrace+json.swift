import Foundation
import BelfryJSON
import NotificationModel
import WallClock

extension DemoTrace {
  /// More notifications than this are shown in sums.
  static let maximumParts = 9

  func write(to writer: inout JSONWriter, now: Date) {
    let status = status(now: now)
    writer.object { writer in
      writer.field("requestId", id)
      writer.field("name", name)
      writer.field("label", label)
      writer.field("at", sentAt.rfc3339)
      writer.field("count", requests.count)
      writer.field("notifications", parts.count)
      writer.field("status", status.rawValue)
      writer.field("finished", status == .done)
      writer.array("steps") { writer in
        for step in steps { step.write(to: &writer) }
      }
      guard parts.count <= Self.maximumParts else { return }
      writer.array("deliveries") { writer in
        for standing in standings { standing.write(to: &writer, since: sentAt) }
      }
    }
  }

  /// A fact, or several that say the same.
  struct Step: Sendable, Equatable {
    var milliseconds: Int
    /// When the first of several was there.
    var firstMilliseconds: Int
    var notification: String?
    var user: String?
    var channel: String?
    var what: What
    var reason: String?
    var until: Date?
    var words: String
    /// The time is the latest at which it can have been.
    var isAtMost = false
    var count = 1
  }

  /// In order of time; of many notifications summed up: when the last of them had come so far.
  var steps: [Step] {
    let single = facts.map { fact in
      let milliseconds = max(0, Int((fact.at.timeIntervalSince(sentAt) * 1_000).rounded()))
      return Step(
        milliseconds: milliseconds,
        firstMilliseconds: milliseconds,
        notification: fact.notification?.description,
        user: fact.user,
        channel: fact.channel?.name,
        what: fact.what,
        reason: fact.reason,
        until: fact.until,
        words: fact.words,
        isAtMost: fact.isAtMost
      )
    }
    return (parts.count <= Self.maximumParts ? single : Self.sums(single)).sorted { $0.milliseconds < $1.milliseconds }
  }

  private static func sums(_ steps: [Step]) -> [Step] {
    var sums: [String: Step] = [:]
    for step in steps {
      let key = "\(step.channel ?? "") \(step.what) \(step.reason ?? "") \(step.isAtMost) \(step.words)"
      var sum = sums[key] ?? step
      sum.notification = nil
      sum.user = nil
      sum.count = (sums[key]?.count ?? 0) + 1
      sum.milliseconds = max(sum.milliseconds, step.milliseconds)
      sum.firstMilliseconds = min(sum.firstMilliseconds, step.milliseconds)
      sums[key] = sum
    }
    return Array(sums.values)
  }
}

extension DemoTrace.Step {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("ms", milliseconds)
      writer.nullableField("user", user)
      writer.nullableField("channel", channel)
      writer.optionalField("notificationId", notification)
      writer.field("what", what.rawValue)
      writer.optionalField("reason", reason)
      writer.optionalField("until", until?.rfc3339)
      writer.field("words", words)
      if isAtMost { writer.field("atMost", true) }
      if count > 1 {
        writer.field("count", count)
        writer.field("firstMs", firstMilliseconds)
      }
    }
  }
}

extension DemoTrace.Standing {
  fileprivate func write(to writer: inout JSONWriter, since sentAt: Date) {
    writer.object { writer in
      writer.field("notificationId", notification.description)
      writer.field("user", member.id)
      writer.field("channel", channel.name)
      writer.field("state", state.rawValue)
      writer.optionalField("reason", reason)
      writer.optionalField("until", until?.rfc3339)
      if attempts > 0 { writer.field("attempts", attempts) }
      if let at { writer.field("ms", max(0, Int((at.timeIntervalSince(sentAt) * 1_000).rounded()))) }
    }
  }
}
