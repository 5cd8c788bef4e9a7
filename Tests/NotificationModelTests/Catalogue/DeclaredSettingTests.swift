import Foundation
import BelfryJSON
import NotificationModel
import Rules
import Testing
import WallClock

/// Numbers that a catalogue lets people set.
@Suite struct DeclaredSettingTests {
  private static let own = """
    version: 1
    settings:
    - { name: dailyLimit, type: number, minimum: 1, maximum: 500.5, default: 50, title: { en: Limit, de: Grenze } }
    """

  private func number(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  @Test func `the built-in one is the threshold of the coarse form, with its bounds`() throws {
    let setting = try #require(try Catalogue().settings.first)
    #expect(try Catalogue().settings.count == 1)
    #expect(setting.name == CoarseSettings.threshold)
    #expect(setting.bounds == 0...1_000_000_000_000)
    #expect(setting.initial == CoarseSettings.firstThreshold)
  }

  @Test func `a file adds its own, and replaces one of the same name whole`() throws {
    let added = try Catalogue(overrides: Self.own)
    #expect(added.settings.map(\.name) == ["dailyLimit", "lowBalanceThreshold"])
    let most = try number("500.5")
    #expect(added.setting("dailyLimit")?.bounds == 1...most)
    #expect(added.setting("DailyLimit") == nil)
    let replaced = try Catalogue(
      overrides: "version: 1\nsettings: [{ name: lowBalanceThreshold, type: number, default: -20 }]"
    )
    let threshold = try #require(replaced.setting("lowBalanceThreshold"))
    #expect(replaced.settings == [threshold])
    #expect(threshold.initial == -20 && threshold.title == nil)
    #expect(threshold.bounds == -999_999_999_999_999...999_999_999_999_999)
  }

  @Test func `rules compare with those declared, and with no others`() throws {
    func rule(_ setting: String) -> String {
      Self.own + "\nrules:\n- { name: r, on: AppOpened, user: '{{userId}}', key: k, "
        + "when: { value: v, previous: p, risesAbove: { setting: \(setting) } }, notify: MissYou }"
    }
    #expect(try Catalogue(overrides: rule("dailyLimit")).rules.rules.contains { $0.name == "r" })
    let failure = #expect(throws: CatalogueError.self) { try Catalogue(overrides: rule("limit")) }
    #expect(
      failure?.problems.map(\.description) == [
        "rules[0] (r).when.risesAbove.setting: 'limit' is not a setting; there are dailyLimit, lowBalanceThreshold"
      ]
    )
  }

  @Test func `what holds is what was set, within the bounds, else what the catalogue says`() throws {
    let declared = try Catalogue(overrides: Self.own).settings
    let limit = try #require(declared.first)
    #expect(limit.effective(nil) == 50)
    let (exact, most) = (try number("12.345678901234567"), try number("500.5"))
    #expect(limit.effective(exact) == exact)
    #expect(limit.effective(0) == 1 && limit.effective(501) == most)
    let settings = RuleSettings(zone: .utc, stored: ["dailyLimit": 7, "gone": 3], declared: declared)
    #expect(settings.numbers == ["dailyLimit": ExactNumber("7"), "lowBalanceThreshold": ExactNumber("10")])
  }

  @Test func `apps are given name, bounds, default, and the title in their language`() throws {
    var writer = JSONWriter()
    try Catalogue(overrides: Self.own).writeOpenPart(to: &writer, locale: "de-AT")
    #expect(
      writer.text.contains(
        #""settings":[{"name":"dailyLimit","type":"number","minimum":1,"maximum":500.5,"default":50,"title":"Grenze"},"#
      )
    )
  }
}
