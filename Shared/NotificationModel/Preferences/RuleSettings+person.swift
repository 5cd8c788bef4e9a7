public import Foundation
public import Rules
public import WallClock

extension RuleSettings {
  /// What rules may know of a person, as it is stored.
  ///
  /// - Parameters:
  ///   - zone: The person's, else the deployment's.
  ///   - stored: The numbers that the person has set, whatever the catalogue says of them.
  public init(zone: Zone, stored: [String: Decimal] = [:], declared: [DeclaredSetting]) {
    self.init(zone: zone)
    for setting in declared {
      // A number with more digits than rules calculate with is as good as none.
      numbers[setting.name] =
        ExactNumber("\(setting.effective(stored[setting.name]))") ?? ExactNumber("\(setting.initial)")
    }
  }
}
