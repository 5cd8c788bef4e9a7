public import Foundation
public import WallClock

/// Why a rule notified somebody or did not.
public enum RuleOutcome: Sendable, Equatable {
  // MARK: Something was sent
  case notified(what: String, notices: Int)
  // MARK: Nothing was sent, for now
  case scheduled(what: String, at: Date)
  case cancelled
  /// An absence rule knows of the day now, or a crossing rule of its first value.
  case noted(LocalDate)
  case firstValue(ExactNumber)
  // MARK: Nothing was sent
  case refused(RuleRefusal)
  case otherEvent(String)
  /// By a member named in `unless`.
  case unless(PayloadPath)
  /// What the rule looks at is not there: a member, or a setting.
  case nothingToCompare(String)
  case notCrossed(from: ExactNumber, to: ExactNumber, bound: ExactNumber)
  case notReached(ExactNumber, next: ExactNumber)
  case notLargeEnough(ExactNumber, bound: ExactNumber)
  case notExceeded(ExactNumber, bound: ExactNumber)
  case alreadyNotified(what: String, at: Date)
  /// A later event has been seen.
  case outdated(latest: Date)
  /// Before the days that streaks count.
  case tooOld(LocalDate)
  case nothingAhead
  case unchanged
  case notDue
  case tooLate(what: String, due: Date)
  /// The condition held, and nobody was left to be notified.
  case nobody(what: String)

  public var hasNotified: Bool { if case .notified = self { true } else { false } }

  /// The reason as a word for programs; it never changes.
  public var code: String {
    switch self {
    case .notified: "told"
    case .scheduled: "scheduled"
    case .cancelled: "cancelled"
    case .noted: "noted"
    case .firstValue: "firstValue"
    case .refused: "refused"
    case .otherEvent: "otherEvent"
    case .unless: "unless"
    case .nothingToCompare: "nothingToCompare"
    case .notCrossed: "notCrossed"
    case .notReached: "notReached"
    case .notLargeEnough: "notLargeEnough"
    case .notExceeded: "notExceeded"
    case .alreadyNotified: "alreadyTold"
    case .outdated: "outdated"
    case .tooOld: "tooOld"
    case .nothingAhead: "nothingAhead"
    case .unchanged: "unchanged"
    case .notDue: "notDue"
    case .tooLate: "tooLate"
    case .nobody: "nobody"
    }
  }
}
