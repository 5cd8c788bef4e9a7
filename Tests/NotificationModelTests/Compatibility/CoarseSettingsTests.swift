import Foundation
import Testing

@testable import NotificationModel

@Suite struct CoarseSettingsTests {
  private static let builtIn = try? Catalogue()

  private static func catalogue() throws -> [NotificationType] { try #require(builtIn).types }

  private static func shown(_ rows: PreferenceRows = PreferenceRows(), threshold: Decimal? = nil) throws
    -> CoarseSettings
  {
    CoarseSettings(isEnabled: true, rows: rows, threshold: threshold, in: try catalogue())
  }

  private static func rows(
    from rows: PreferenceRows = PreferenceRows(),
    _ change: (inout CoarseSettings) -> Void
  ) throws -> PreferenceRows {
    var settings = try shown(rows)
    change(&settings)
    return settings.rows(from: rows, in: try catalogue())
  }

  private static let off = ChannelChoices(inApp: false, push: false)

  @Test func `at first all is on, and the threshold is 10`() throws {
    let expected = CoarseSettings(
      inAppEnabled: true,
      inAppTransactions: true,
      inAppAllowance: true,
      inAppChores: true,
      inAppGoals: true,
      lowBalanceNotifications: true,
      lowBalanceThreshold: 10
    )
    #expect(try Self.shown() == expected)
    #expect(try Self.shown(threshold: 25).lowBalanceThreshold == 25)
  }

  @Test func `an absent threshold keeps what is stored`() throws {
    var settings = try Self.shown()
    settings.lowBalanceThreshold = nil
    #expect(settings.threshold(from: 25) == 25)
    #expect(settings.threshold(from: nil) == nil)
    settings.lowBalanceThreshold = 5
    #expect(settings.threshold(from: 25) == 5)
  }

  @Test func `a switch sets in-app and push of its category`() throws {
    #expect(try Self.rows { $0.inAppAllowance = false } == PreferenceRows(categories: ["Allowance": Self.off]))
    #expect(try Self.rows { $0.inAppChores = false } == PreferenceRows(categories: ["Tasks": Self.off]))
    #expect(try Self.rows { $0.inAppGoals = false } == PreferenceRows(categories: ["Goals & Savings": Self.off]))
    let mail = PreferenceRows(categories: ["Tasks": ChannelChoices(email: true)])
    let off = try Self.rows(from: mail) { $0.inAppChores = false }
    #expect(off == PreferenceRows(categories: ["Tasks": ChannelChoices(inApp: false, push: false, email: true)]))
    #expect(try Self.rows(from: off) { $0.inAppChores = true } == mail)
  }

  @Test func `transactions and the low balance are switched apart`() throws {
    let on = ChannelChoices(inApp: true, push: true)
    let silent = try Self.rows { $0.inAppTransactions = false }
    #expect(silent == PreferenceRows(types: [2: on], categories: ["Balance & Transactions": Self.off]))
    #expect(try Self.shown(silent).lowBalanceNotifications)
    #expect(try !Self.shown(silent).inAppTransactions)
    #expect(try Self.rows(from: silent) { $0.lowBalanceNotifications = false }.types.isEmpty)
    let low = try Self.rows { $0.lowBalanceNotifications = false }
    #expect(low == PreferenceRows(types: [2: Self.off]))
    #expect(try Self.shown(low).inAppTransactions)
    // Both at once, and back.
    let both = try Self.rows {
      $0.inAppTransactions = false
      $0.lowBalanceNotifications = false
    }
    #expect(both == PreferenceRows(categories: ["Balance & Transactions": Self.off]))
    let back = try Self.rows(from: both) {
      $0.inAppTransactions = true
      $0.lowBalanceNotifications = true
    }
    #expect(back == PreferenceRows())
  }

  @Test func `what is written is read, and what is put back changes nothing`() throws {
    let catalogue = try Self.catalogue()
    var dice = SampleDice(seed: 19)
    for _ in 0..<200 {
      var rows = PreferenceRows()
      for type in catalogue where dice.chance(30) { rows.types[type.code] = dice.choices() }
      for type in catalogue where dice.chance(20) { rows.categories[type.category] = dice.choices() }
      let put = try Self.rows(from: rows) { _ in }
      for type in catalogue { #expect(put.effective(type) == rows.effective(type)) }
      var wanted = try Self.shown(rows)
      wanted.inAppTransactions = dice.chance(50)
      wanted.inAppAllowance = dice.chance(50)
      wanted.inAppChores = dice.chance(50)
      wanted.inAppGoals = dice.chance(50)
      wanted.lowBalanceNotifications = dice.chance(50)
      let after = wanted.rows(from: rows, in: catalogue)
      #expect(try Self.shown(after) == wanted)
    }
  }

  // MARK: A catalogue without them

  /// A catalogue that begins with nothing.
  private static func own(_ entries: String) throws -> Catalogue {
    try Catalogue(
      overrides: """
        version: 1
        builtIn: false
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
        \(entries)
        """
    )
  }

  private static let types = """
    types:
    - { code: 2, name: LowBalanceWarning, category: Balance & Transactions }
    - { code: 3, name: A, category: Allowance }
    - { code: 4, name: B, category: Tasks }
    - { code: 5, name: C, category: Goals & Savings }
    """
  private static let setting = "settings: [{ name: lowBalanceThreshold, type: number, default: 1 }]"

  @Test func `the built-in catalogue lacks nothing, whatever a file replaces of it`() throws {
    #expect(try CoarseSettings.missing(in: #require(Self.builtIn)).isEmpty)
    let replaced = try Catalogue(
      overrides: """
        version: 1
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
        types: [{ code: 2, name: Other, category: Other }]
        rules: [{ name: low-balance, off: true }]
        """
    )
    #expect(CoarseSettings.missing(in: replaced).isEmpty)
  }

  @Test func `one of an operator's own lacks what it does not declare`() throws {
    let all = [
      "category 'Balance & Transactions'", "category 'Allowance'", "category 'Tasks'", "category 'Goals & Savings'",
      "type LowBalanceWarning with code 2", "setting 'lowBalanceThreshold'",
    ]
    #expect(try CoarseSettings.missing(in: Self.own("")) == all)
    #expect(try CoarseSettings.missing(in: Self.own("types: [{ code: 2, name: Shipped, category: Orders }]")) == all)
    #expect(try CoarseSettings.missing(in: Self.own(Self.types)) == Array(all.suffix(1)))
    #expect(try CoarseSettings.missing(in: Self.own(Self.setting)) == Array(all.prefix(5)))
    let copied = "\(Self.types)\n\(Self.setting)"
    #expect(try CoarseSettings.missing(in: Self.own(copied)).isEmpty)
    let renamed = copied.replacing("LowBalanceWarning", with: "Low")
    #expect(try CoarseSettings.missing(in: Self.own(renamed)) == ["type LowBalanceWarning with code 2"])
  }
}
