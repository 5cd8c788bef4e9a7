import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

/// Schedules whose type a catalogue does not have any more.
@Suite struct StoppedSchedulesTests {
  private static func catalogue(_ types: String) throws -> Catalogue {
    try Catalogue(
      overrides: """
        version: 1
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
        types: [\(types){ code: 902, name: RainIsNear, category: Garden }]
        """
    )
  }

  private static func lost(from old: String, to new: String) throws -> [CatalogueDifference.LostNames] {
    CatalogueDifference(from: try catalogue(old), to: try catalogue(new)).lost
  }

  private static let dinner = "{ code: 900, name: DinnerIsReady, category: Household },"

  @Test func `those that name it by code or name are counted, and no others`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      let definitions = [
        #"{"type":900}"#, #"{"type":"900"}"#, #"{"type":"dinnerisready"}"#, #"{"type":"RainIsNear"}"#,
        #"{"type":9000}"#,
        #"{"template":"weekly"}"#, #"{"data":{"type":"900"},"type":902}"#,
      ]
      for (number, definition) in definitions.enumerated() {
        _ = try await store.put(
          "s\(number)",
          of: "shop",
          definition: definition,
          startsOn: LocalDate("2027-01-15")!,
          limit: 100,
          now: now
        )
      }
      let stopped = StoppedSchedules(client: client)
      let gone = try Self.lost(from: Self.dinner, to: "")
      #expect(gone.map(\.code) == [900] && gone.map(\.name) == ["DinnerIsReady"])
      #expect(try await stopped.count(gone) == [.init(count: 3, isAll: true)])
      // Who says the code is understood as before.
      let renamed = try Self.lost(from: Self.dinner, to: Self.dinner.replacing("Dinner", with: "Supper"))
      #expect(renamed.map(\.code) == [nil])
      #expect(try await stopped.count(renamed) == [.init(count: 1, isAll: true)])
      // The name is another type's now.
      let moved = try Self.lost(from: Self.dinner, to: Self.dinner.replacing("900", with: "901"))
      #expect(moved.map(\.name) == [nil])
      #expect(try await stopped.count(moved) == [.init(count: 2, isAll: true)])
      #expect(try await stopped.count(gone, schedules: 6).map(\.isAll) == [false])
      #expect(try await stopped.count([]) == [])
    }
  }
}
