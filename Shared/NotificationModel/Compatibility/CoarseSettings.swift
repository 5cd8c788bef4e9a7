public import Foundation

/// The few switches of the iOS specification (`NotificationPreferencesDTO`), over the same data as the fine ones.
public struct CoarseSettings: Sendable, Equatable {
  /// The master switch.
  public var inAppEnabled: Bool
  public var inAppTransactions: Bool
  public var inAppAllowance: Bool
  public var inAppChores: Bool
  public var inAppGoals: Bool
  /// The type ``lowBalance``, which is no part of its category's switch.
  public var lowBalanceNotifications: Bool
  public var lowBalanceThreshold: Decimal?

  public init(
    inAppEnabled: Bool,
    inAppTransactions: Bool,
    inAppAllowance: Bool,
    inAppChores: Bool,
    inAppGoals: Bool,
    lowBalanceNotifications: Bool,
    lowBalanceThreshold: Decimal?
  ) {
    self.inAppEnabled = inAppEnabled
    self.inAppTransactions = inAppTransactions
    self.inAppAllowance = inAppAllowance
    self.inAppChores = inAppChores
    self.inAppGoals = inAppGoals
    self.lowBalanceNotifications = lowBalanceNotifications
    self.lowBalanceThreshold = lowBalanceThreshold
  }
}

extension CoarseSettings {
  /// The setting that it shows as the threshold.
  public static let threshold = "lowBalanceThreshold"
  /// The threshold of who never set one, where the catalogue declares no such setting.
  public static let firstThreshold: Decimal = 10
  /// Code of `LowBalanceWarning`.
  static let lowBalance = 2
  private static let lowBalanceName = "LowBalanceWarning"

  /// Each switch with its category in the catalogue.
  private static let switches: [(any WritableKeyPath<CoarseSettings, Bool> & Sendable, String)] = [
    (\.inAppTransactions, "Balance & Transactions"),
    (\.inAppAllowance, "Allowance"),
    (\.inAppChores, "Tasks"),
    (\.inAppGoals, "Goals & Savings"),
  ]

  /// What these switches are about and the catalogue has not: then there is nothing that they could show or change.
  ///
  /// - Returns: In words. Nothing where the built-in catalogue is in force, whatever a file has put in the place of some of it.
  public static func missing(in catalogue: Catalogue) -> [String] {
    guard !catalogue.hasBuiltIn else { return [] }
    let categories = Set(catalogue.types.map(\.category))
    var missing = switches.map(\.1).filter { !categories.contains($0) }.map { "category '\($0)'" }
    if catalogue.type(.code(lowBalance))?.name != lowBalanceName {
      missing.append("type \(lowBalanceName) with code \(lowBalance)")
    }
    if catalogue.setting(threshold) == nil { missing.append("setting '\(threshold)'") }
    return missing
  }

  /// What a user's choices are in these words: a switch is on while anything under it reaches the inbox or the phone.
  public init(isEnabled: Bool, rows: PreferenceRows, threshold: Decimal?, in catalogue: [NotificationType]) {
    self.init(
      inAppEnabled: isEnabled,
      inAppTransactions: false,
      inAppAllowance: false,
      inAppChores: false,
      inAppGoals: false,
      lowBalanceNotifications: catalogue.contains { $0.code == Self.lowBalance && Self.isOn(rows.effective($0)) },
      lowBalanceThreshold: threshold ?? Self.firstThreshold
    )
    for (path, category) in Self.switches {
      self[keyPath: path] = catalogue.contains {
        $0.category == category && $0.code != Self.lowBalance && Self.isOn(rows.effective($0))
      }
    }
  }

  /// What becomes of a user's rows. Switches that stand where they were shown change nothing; the others set in-app and push
  /// and leave mails alone.
  public func rows(from former: PreferenceRows, in catalogue: [NotificationType]) -> PreferenceRows {
    let shown = CoarseSettings(isEnabled: inAppEnabled, rows: former, threshold: nil, in: catalogue)
    let type = catalogue.first { $0.code == Self.lowBalance }
    var rows = former
    for (path, category) in Self.switches where self[keyPath: path] != shown[keyPath: path] {
      let choice = Self.choice(self[keyPath: path])
      rows = rows.setting(PreferenceRows(categories: [category: choice]), in: catalogue)
    }
    guard let type else { return rows }
    let wanted =
      lowBalanceNotifications == shown.lowBalanceNotifications
      ? former.effective(type) : Self.choice(lowBalanceNotifications)
    return rows.setting(PreferenceRows(types: [type.code: wanted]), in: catalogue)
  }

  /// An absent threshold keeps what is stored.
  public func threshold(from former: Decimal?) -> Decimal? { lowBalanceThreshold ?? former }

  private static func choice(_ isOn: Bool) -> ChannelChoices { ChannelChoices(inApp: isOn, push: isOn) }

  private static func isOn(_ choices: ChannelChoices) -> Bool { choices[.inApp] == true || choices[.push] == true }
}
