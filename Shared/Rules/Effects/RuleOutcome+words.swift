import Foundation

extension RuleOutcome: CustomStringConvertible {
  /// The reason in a sentence's second half, e.g. `8 is below 10, but 9 was too`. Times are in UTC.
  public var description: String {
    switch self {
    case .notified(let what, let notices): "sent \(notices == 1 ? "one notice" : "\(notices) notices") for \(what)"
    case .scheduled(let what, let at): "\(what) is due at \(Self.time(at))"
    case .cancelled: "what was to come has been cancelled"
    case .noted(let day): "\(day) is noted as the last day"
    case .firstValue(let value): "\(value) is the first value known, so nothing was crossed"
    case .refused(let refusal): "the event cannot be evaluated: \(refusal)"
    case .otherEvent(let name): "it looks at \(name) only"
    case .unless(let path): "'\(path)' is true"
    case .nothingToCompare(let name): "there is no \(name) to compare"
    case .notCrossed(let from, let to, let bound): "from \(from) to \(to) does not cross \(bound)"
    case .notReached(let value, let next): "\(value) has not reached \(next)"
    case .notLargeEnough(let value, let bound): "\(value) is less than \(bound)"
    case .notExceeded(let value, let bound): "\(value) does not exceed \(bound)"
    case .alreadyNotified(let what, let at): "\(what) has been sent at \(Self.time(at))"
    case .outdated(let latest): "a later event, of \(Self.time(latest)), has been seen"
    case .tooOld(let day): "\(day) is further back than streaks look"
    case .nothingAhead: "there is no time ahead at which to remind"
    case .unchanged: "nothing has changed"
    case .notDue: "nothing is due"
    case .tooLate(let what, let due): "\(what) was due at \(Self.time(due)): too late to be sent"
    case .nobody(let what): "there is nobody to notify of \(what)"
    }
  }

  private static func time(_ time: Date) -> String { time.formatted(.iso8601) }
}
