public import WallClock

/// What a rule may know of the person it is about, as of now.
public struct RuleSettings: Sendable, Equatable {
  /// The person's zone, else the deployment's: what a day is, and when 09:00 is.
  public var zone: Zone
  /// Each setting that rules may name, by its name.
  public var numbers: [String: ExactNumber]
  /// The person's id, where that is not the UUID of the rule's state.
  public var userID: String?

  public init(zone: Zone, numbers: [String: ExactNumber] = [:], userID: String? = nil) {
    self.userID = userID
    self.zone = zone
    self.numbers = numbers
  }
}
