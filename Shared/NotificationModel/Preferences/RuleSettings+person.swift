public import Foundation
public import Rules
public import WallClock

extension RuleSettings {
  /// What rules may know of a person, as it is stored.
  ///
  /// - Parameters:
  ///   - zone: The person's, else the deployment's.
  ///   - threshold: Nil for who never set one.
  public init(zone: Zone, threshold: Decimal?) {
    self.init(zone: zone)
    numbers["lowBalanceThreshold"] = ExactNumber("\(threshold ?? CoarseSettings.firstThreshold)")
  }
}
