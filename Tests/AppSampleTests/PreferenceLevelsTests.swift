import BelfryClient
import BelfryClientTesting
import Foundation
import Testing

@testable import AppSample

@MainActor
struct PreferenceLevelsTests {
  private let server = InMemoryServer(clock: TestClock())

  private func model() async -> PreferencesModel {
    let model = PreferencesModel(server.client())
    await model.load()
    return model
  }

  private func levels(_ model: PreferencesModel) throws -> PreferenceLevels {
    PreferenceLevels(try #require(model.preferences))
  }

  @Test func `a type that differs makes its category and everything mixed`() async throws {
    let model = await model()
    await model.set(.push, true)
    let goals = try #require(try levels(model).category("Goals & Savings"))
    #expect(goals.types.map(\.type) == [20, 21])
    #expect(goals.state(.push) == .on)
    #expect(try levels(model).state(.push) == .on)
    await model.set(.push, false, type: 21)
    #expect(try levels(model).category("Goals & Savings")?.state(.push) == .mixed)
    #expect(try levels(model).category("Tasks")?.state(.push) == .on)
    #expect(try levels(model).state(.push) == .mixed)
  }

  @Test func `a category is switched with all of its types`() async throws {
    let model = await model()
    await model.set(.email, true, category: "Tasks")
    #expect(try levels(model).category("Tasks")?.state(.email) == .on)
    await model.set(.email, false, type: 30)
    await model.set(.email, false, category: "Tasks")
    #expect(try levels(model).category("Tasks")?.types.allSatisfy { !$0.switches.email } == true)
    #expect(try levels(model).category("Tasks")?.state(.email) == .off)
  }

  @Test func `a row names the channels that are on`() async throws {
    let model = await model()
    for channel in PreferencesModel.Channel.allCases { await model.set(channel, false, category: "Tasks") }
    #expect(try levels(model).category("Tasks")?.summary == "Off")
    await model.set(.inApp, true, category: "Tasks")
    await model.set(.push, true, type: 30)
    #expect(try levels(model).category("Tasks")?.summary == "Inbox, Push (partly)")
  }

  @Test func `a category that there is no more is none`() async throws {
    #expect(try levels(await model()).category("Weather") == nil)
  }

  @Test func `quiet hours go to the server and come back as they were dragged`() async throws {
    let model = await model()
    #expect(QuietHours(try #require(model.preferences)) == nil)
    let bar = QuietHoursBar(width: 1_440)
    let hours = bar.drag(.end, to: 390, of: .usual)
    await model.setQuietHours(true, start: hours.wireText(.start), end: hours.wireText(.end))
    #expect(model.error == nil)
    let fresh = await self.model()
    #expect(fresh.preferences?.quietHoursEnabled == true)
    #expect(QuietHours(try #require(fresh.preferences)) == QuietHours(start: 1_320, end: 390))
  }

  @Test func `the zone that is offered is taken`() async throws {
    let model = await model()
    let before = QuietHoursZone(try #require(model.preferences), device: .gmt)
    await model.setTimezone("Europe/Berlin")
    let after = QuietHoursZone(try #require(model.preferences), device: .gmt)
    #expect(!before.isChosen)
    #expect(after.zone == "Europe/Berlin" && after.isChosen && after.offered == "GMT")
  }

  @Test func `a tab keeps the category, and a category the tab`() async throws {
    let model = NotificationCenterModel(server.client(), tabs: [.all, .unread, .archived])
    #expect(model.tab == "all")
    model.category = "Tasks"
    #expect(model.tab == "all")
    model.tab = "unread"
    #expect(model.filter == NotificationFilter(unreadOnly: true, category: "Tasks"))
    model.tab = "no such tab"
    #expect(model.tab == "unread")
    model.category = nil
    #expect(model.filter == NotificationTab.unread.filter)
  }
}
