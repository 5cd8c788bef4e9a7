public import WallClock

/// What a rule may know of the person it is about, as of now.
public struct RuleSettings: Sendable, Equatable {
  /// The person's zone, else the deployment's: what a day is, and when 09:00 is.
  public var zone: Zone
  /// By the names that rules use: `lowBalanceThreshold`.
  public var numbers: [String: ExactNumber]

  public init(zone: Zone, numbers: [String: ExactNumber] = [:]) {
    self.zone = zone
    self.numbers = numbers
  }
}
