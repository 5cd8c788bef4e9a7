import BelfryClient
import Foundation
import Testing

@testable import AppSample

struct SettingsTextTests {
  @Test func `a switch for several is on, off or mixed`() {
    #expect(SwitchState([true, true]) == .on)
    #expect(SwitchState([false, false]) == .off)
    #expect(SwitchState([true, false]) == .mixed)
    #expect(SwitchState([]) == .off)
    #expect(SwitchState.mixed.note == "partly on")
    #expect(SwitchState.on.note == nil)
  }

  @Test(
    arguments: [
      ("lowBalanceThreshold", "Low balance threshold"), ("GoalMilestone", "Goal milestone"),
      ("conversation", "Conversation"),
      ("", ""), ("URL", "Url"),
    ]
  )
  func `names of the catalogue become words`(name: String, expected: String) {
    #expect(words(name) == expected)
  }

  @Test func `numbers are typed as the region writes them`() {
    let german = Locale(identifier: "de_DE")
    #expect(SettingText.text(1_234.5, locale: german) == "1234,5")
    #expect(SettingText.value("1234,5", locale: german) == 1_234.5)
    #expect(SettingText.value(" 25 ", locale: locale) == 25)
    #expect(["", "abc", "1e999", String(repeating: "9", count: 30)].allSatisfy { SettingText.value($0) == nil })
  }

  @Test func `a device's row says which one it is`() throws {
    let row = DeviceRow(
      platform: 1,
      name: "",
      isActive: false,
      lastUsedAt: try date(2026, 11, 28),
      isThisOne: true,
      calendar: calendar,
      locale: locale
    )
    #expect(row.title == "iPhone or iPad")
    #expect(row.detail == "This device · Gets no pushes · Last used 28 Nov 2026")
    let other = DeviceRow(
      platform: 7,
      name: "Fridge",
      isActive: true,
      lastUsedAt: nil,
      isThisOne: false,
      calendar: calendar,
      locale: locale
    )
    #expect((other.title, other.detail) == ("Fridge", ""))
  }
}
