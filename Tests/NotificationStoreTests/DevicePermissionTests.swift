import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

/// What users answered when asked for permission, and how it is counted.
struct DevicePermissionTests {
  private let noon = Date(timeIntervalSince1970: 20_000 * 86_400 + 43_200)

  private func stored(_ client: PostgresClient) async throws -> [String] {
    try await client.column("SELECT permission || ' ' || permission_told FROM devices ORDER BY token", as: String.self)
  }

  /// Day, type, channel, and how many were asked, granted and denied it.
  private func counts(_ client: PostgresClient) async throws -> [String] {
    try await client.column(
      """
      SELECT concat_ws(' ', day - date '1970-01-01', type, channel, sum(asked), sum(granted), sum(denied))
      FROM stats GROUP BY day, type, channel
      """,
      as: String.self
    )
  }

  @Test func `the last answer is kept, and each counts once for a device`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let (ann, bob) = (Sample.user(), Sample.user())
      let phone = try await devices.register(.sample("phone"), of: ann).id
      let tablet = try await devices.register(.sample("tablet"), of: ann).id
      #expect(try await stored(client) == ["0 0", "0 0"])
      #expect(try await !devices.setPermission(.granted, of: phone, of: bob, at: noon))
      #expect(try await counts(client) == [])
      for answer: DevicePermission in [.requested, .denied, .denied, .granted, .denied] {
        #expect(try await devices.setPermission(answer, of: phone, of: ann, at: noon))
      }
      #expect(try await devices.setPermission(.granted, of: tablet, of: ann, at: noon))
      #expect(try await stored(client) == ["3 7", "2 2"])
      #expect(try await counts(client) == ["20000 0 2 1 2 1"])
    }
  }

  @Test func `answers at the same time count once`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let devices = DeviceStore(client: client)
      let ann = Sample.user()
      let phone = try await devices.register(.sample("phone"), of: ann).id
      let now = self.noon
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<24 {
          group.addTask { try await devices.setPermission(.granted, of: phone, of: ann, at: now) }
        }
        for try await isKnown in group { #expect(isKnown) }
      }
      #expect(try await counts(client) == ["20000 0 2 0 1 0"])
    }
  }

  @Test func `a registration anew keeps the answer, another user's forgets it and counts it no more`() async throws {
    try await TestDatabase.with { client in
      let devices = DeviceStore(client: client)
      let (ann, bob) = (Sample.user(), Sample.user())
      let phone = try await devices.register(.sample("phone"), of: ann).id
      _ = try await devices.setPermission(.granted, of: phone, of: ann, at: noon)
      _ = try await devices.register(.sample("phone"), of: ann)
      #expect(try await stored(client) == ["2 2"])
      let moved = try await devices.register(.sample("phone"), of: bob).id
      #expect(try await stored(client) == ["0 2"])
      #expect(try await devices.setPermission(.granted, of: moved, of: bob, at: noon))
      #expect(try await stored(client) == ["2 2"])
      #expect(try await counts(client) == ["20000 0 2 0 1 0"])
    }
  }
}
