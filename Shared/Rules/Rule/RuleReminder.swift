import Foundation
import BelfryJSON
import WallClock

/// When a rule reminds of something that an event announces.
enum RuleReminder: Sendable, Equatable {
  /// Days around a date, at a time in the person's zone; offsets ascend. What is later than `lateness` is not sent.
  case days(due: PayloadPath, time: LocalTime, offsets: [DayOffset], lateness: ElapsedTime)
  /// At an instant, or some time before it.
  case instant(at: PayloadPath, before: Before?)

  /// How long before; of the payload's member, if it has it.
  struct Before: Sendable, Equatable {
    let member: PayloadPath?
    let otherwise: ElapsedTime

    func elapsed(_ variables: RuleVariables) throws(RuleRefusal) -> ElapsedTime {
      guard let member, let value = try variables.value(member) else { return otherwise }
      guard let text = value.string, let elapsed = ElapsedTime(text) else {
        throw RuleRefusal(payload: member, "expected an ISO 8601 duration of at most 31 days, like PT30M")
      }
      return elapsed
    }
  }

  static let defaultLateness = ElapsedTime(seconds: 6 * 3_600)!
  static let maximumOffsets = 16

  /// The member that says when.
  var member: PayloadPath {
    switch self {
    case .days(let due, _, _, _): due
    case .instant(let at, _): at
    }
  }

  /// What the engine knows of each reminder, beside the payload.
  var knownNames: Set<String> {
    switch self {
    case .days: ["days", "due", "date"]
    case .instant: []
    }
  }

  /// How an offset of a date is told apart from the same offset of another.
  static func what(_ due: LocalDate, _ offset: DayOffset) -> String { "\(due):\(offset)" }

  static func date(_ value: JSONValue, _ path: PayloadPath) throws(RuleRefusal) -> LocalDate {
    guard let date = value.string.flatMap(LocalDate.init) else {
      throw RuleRefusal(payload: path, "expected a date like 2026-12-01")
    }
    return date
  }

  static func instant(_ value: JSONValue, _ path: PayloadPath) throws(RuleRefusal) -> Date {
    guard let instant = value.string.flatMap(Date.init(rfc3339:)) else {
      throw RuleRefusal(payload: path, "expected a time in RFC 3339, like 2026-12-01T08:00:00Z")
    }
    return instant.bounded
  }
}
