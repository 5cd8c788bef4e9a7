import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

/// What a user chooses in a model, and what another device of the user then has.
@MainActor
struct PreferencesServerTests {
  private let clock = TestClock()
  private let server: InMemoryServer
  private let phone: PreferencesModel

  init() async {
    server = InMemoryServer(clock)
    phone = PreferencesModel(server.client())
    await phone.load()
  }

  /// What a device has that starts now.
  private func tablet() async -> PreferencesModel {
    let model = PreferencesModel(server.client())
    await model.load()
    return model
  }

  private func pushes(_ model: PreferencesModel) -> [Int: Bool] {
    Dictionary(uniqueKeysWithValues: (model.preferences?.types ?? []).map { ($0.type, $0.switches.push) })
  }

  @Test func `of everything, a category and a type the nearest choice counts`() async throws {
    await phone.set(.push, false)
    #expect(pushes(phone).values.allSatisfy { !$0 })
    await phone.set(.push, true, category: "Goals & Savings")
    await phone.set(.push, false, type: 21)
    await phone.set(.email, true, type: 10)
    #expect(phone.error == nil && phone.saving == 0)
    let tablet = await tablet()
    #expect(pushes(tablet).filter(\.value).map(\.key) == [20])
    #expect(pushes(tablet) == pushes(phone))
    #expect(tablet.preferences?.types.filter(\.switches.email).map(\.type) == [10])
    #expect(tablet.preferences?.types.allSatisfy(\.switches.inApp) == true)
  }

  @Test func `settings, quiet hours and a pause are kept, and can be given up again`() async throws {
    let noon = clock.now.addingTimeInterval(7_200)
    await phone.setNotificationsEnabled(false)
    await phone.setSoundEnabled(false)
    await phone.setBadgeEnabled(false)
    await phone.setSetting("minimumBalance", 25)
    await phone.setTimezone("Europe/Berlin")
    await phone.setQuietHours(true, start: "22:00", end: "07:00")
    await phone.pause(until: noon)
    #expect(phone.error == nil)
    var kept = try #require(await tablet().preferences)
    #expect(!kept.notificationsEnabled && !kept.soundEnabled && !kept.badgeEnabled && kept.quietHoursEnabled)
    #expect(kept.settings == ["minimumBalance": 25])
    #expect(kept.timezone == "Europe/Berlin")
    #expect([kept.quietHoursStart, kept.quietHoursEnd] == ["22:00:00", "07:00:00"])
    #expect(kept.pausedUntil == noon)
    await phone.setNotificationsEnabled(true)
    await phone.setQuietHours(false)
    await phone.setSetting("minimumBalance", nil)
    await phone.setTimezone(nil)
    await phone.pause(until: nil)
    kept = try #require(await tablet().preferences)
    #expect(kept.notificationsEnabled && !kept.quietHoursEnabled && kept.timezone == nil && kept.pausedUntil == nil)
    #expect(kept.settings == ["minimumBalance": 10])
    #expect(kept == phone.preferences)
  }

  @Test func `what is muted is listed, also elsewhere, until it is not muted any more`() async throws {
    let (chat, goal) = (RelatedEntity(type: "conversation", id: "c-1"), RelatedEntity(type: "goal", id: "7"))
    let evening = clock.now.addingTimeInterval(3_600)
    await phone.mute(chat)
    await phone.mute(goal, until: evening)
    #expect(Set(phone.mutes.map(\.entity)) == [chat, goal])
    #expect(phone.mutes.first { $0.entity == goal }?.until == evening)
    #expect(phone.mutes.first { $0.entity == chat }?.until == nil)
    #expect(await Set(tablet().mutes) == Set(phone.mutes))
    await phone.unmute(chat)
    #expect(phone.mutes.map(\.entity) == [goal])
    await server.fail(next: 1, with: .status(403))
    await phone.unmute(goal)
    #expect(phone.error?.code == .forbidden)
    #expect(phone.mutes.map(\.entity) == [goal])
    await phone.load()
    #expect(phone.error == nil)
    await clock.advance(by: .seconds(3_601))
    #expect(await tablet().mutes.isEmpty)
  }
}
