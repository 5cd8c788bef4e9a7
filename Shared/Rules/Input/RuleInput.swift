public import Foundation
public import WallClock

/// What makes a rule look at its state.
public enum RuleInput: Sendable, Equatable {
  case event(RuleEvent)
  /// The state's timer is due. `now` only decides what has become too late to be sent, never an id or a time.
  case due(now: Date)
  /// The daily scan of a zone found that the state's last day is exactly the rule's number of days before `today`.
  case absent(today: LocalDate)
  /// The person's zone, or a number among their settings, is another: timers are set anew, nothing is sent.
  case settingsChanged
}
