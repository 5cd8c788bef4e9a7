import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What counts as unsubscribing: a choice that goes from on to off.
struct UnsubscribingTests {
  private let user = Sample.user()
  private let noon = Date(timeIntervalSince1970: 20_000 * 86_400 + 43_200)

  /// Day, type, channel, and how many unsubscribed.
  private func counted(_ client: PostgresClient) async throws -> [String] {
    try await client.column(
      """
      SELECT concat_ws(' ', day - date '1970-01-01', type, channel, sum(unsubscribed)) FROM stats
      GROUP BY day, type, channel ORDER BY day, type, channel
      """
    )
  }

  /// A type of the catalogue that is shown in-app and pushed, and not mailed.
  private static func type() throws -> NotificationType {
    try #require(try Sample.types().first { $0.channels.inApp && $0.channels.push && !$0.channels.email })
  }

  private func change(_ client: PostgresClient, _ change: (inout UserSettings) throws -> Void) async throws {
    _ = try await SettingsStore(client: client).change(of: user, in: Sample.types(), at: noon, change)
  }

  @Test func `the master switch counts each time that it goes off`() async throws {
    try await TestDatabase.with { client in
      try await change(client) { $0.isEnabled = false }
      #expect(try await counted(client) == ["20000 0 0 1"])
      try await change(client) { $0.isEnabled = false }
      try await change(client) { $0.isEnabled = true }
      #expect(try await counted(client) == ["20000 0 0 1"])
      try await change(client) { $0.isEnabled = false }
      #expect(try await counted(client) == ["20000 0 0 2"])
    }
  }

  @Test func `a type counts on each channel that it was on, chosen or by the catalogue`() async throws {
    try await TestDatabase.with { client in
      let type = try Self.type().code
      let off = ChannelChoices(inApp: false, push: false, email: false)
      try await change(client) { $0.rows.types[type] = off }
      #expect(try await counted(client) == ["20000 \(type) 1 1", "20000 \(type) 2 1"])
      try await change(client) { $0.rows.types[type] = ChannelChoices(inApp: false, push: false, email: true) }
      try await change(client) { $0.rows.types[type] = off }
      #expect(try await counted(client) == ["20000 \(type) 1 1", "20000 \(type) 2 1", "20000 \(type) 3 1"])
    }
  }

  @Test func `a category counts once, and not its types with it`() async throws {
    try await TestDatabase.with { client in
      let type = try Self.type()
      try await change(client) { $0.rows.categories[type.category] = ChannelChoices(push: false) }
      #expect(try await counted(client) == ["20000 0 2 1"])
      try await change(client) { $0.rows.types[type.code] = ChannelChoices(push: true) }
      #expect(try await counted(client) == ["20000 0 2 1"])
      try await change(client) { $0.rows.types[type.code] = nil }
      #expect(try await counted(client) == ["20000 0 2 1", "20000 \(type.code) 2 1"])
    }
  }

  @Test func `what else is set, or fails, does not count`() async throws {
    try await TestDatabase.with { client in
      try await change(client) { ($0.isSoundEnabled, $0.timezone) = (false, "Europe/Berlin") }
      await #expect(throws: CancellationError.self) {
        try await change(client) {
          $0.isEnabled = false
          throw CancellationError()
        }
      }
      #expect(try await counted(client).isEmpty)
    }
  }

  @Test func `of a backend's profile the switch counts where it was on before`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      _ = try await users.put(.sample(isEnabled: false), of: user, at: noon)
      #expect(try await counted(client).isEmpty)
      for isEnabled in [true, false, false] {
        _ = try await users.put(.sample(isEnabled: isEnabled), of: user, at: noon)
      }
      #expect(try await counted(client) == ["20000 0 0 1"])
      for isEnabled in [true, false] {
        _ = try await users.change(of: user, at: noon) { _ in .sample(isEnabled: isEnabled) }
      }
      #expect(try await counted(client) == ["20000 0 0 2"])
    }
  }

  @Test func `of those who switch it off at the same time one counts`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let (user, noon, types) = (self.user, self.noon, try Sample.types())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<24 {
          group.addTask {
            _ = try await SettingsStore(client: client).change(of: user, in: types, at: noon) { $0.isEnabled = false }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await counted(client) == ["20000 0 0 1"])
    }
  }
}
