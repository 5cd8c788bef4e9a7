import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

struct MuteTests {
  private let user = Sample.user()
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func entity(_ id: String, type: String = "Goal") throws -> RelatedEntity {
    try #require(RelatedEntity(type: type, id: id))
  }

  @Test func `what is muted is listed until its time, and can be changed and ended`() async throws {
    try await TestDatabase.with { client in
      let mutes = MuteStore(client: client)
      func listed(at time: Date) async throws -> [String: Date?] {
        let found = try await mutes.mutes(of: user, at: time)
        return Dictionary(uniqueKeysWithValues: found.map { ("\($0.entity.type) \($0.entity.id)", $0.until) })
      }
      #expect(try await mutes.mute(entity("A"), of: user, until: nil, at: now))
      #expect(try await mutes.mute(entity("b", type: "Chat"), of: user, until: now + 60, at: now))
      #expect(try await listed(at: now) == ["goal a": nil, "chat b": now + 60])
      #expect(try await listed(at: now + 60) == ["goal a": nil])
      #expect(try await mutes.mute(entity("a"), of: user, until: now + 30, at: now))
      #expect(try await listed(at: now) == ["goal a": now + 30, "chat b": now + 60])
      try await mutes.unmute(entity("a"), of: user)
      try await mutes.unmute(entity("never"), of: user)
      #expect(try await listed(at: now) == ["chat b": now + 60])
      #expect(try await mutes.mutes(of: Sample.user(), at: now).isEmpty)
    }
  }

  @Test func `a user mutes no more than the limit, also at once; what has ended makes room`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let mutes = MuteStore(client: client)
      _ = try await client.query(
        """
        INSERT INTO mutes (user_id, entity_type, entity_id, until)
        SELECT \(user), 'goal', n::text, CASE WHEN n = 1 THEN \(now + 60) END
        FROM generate_series(1, \(MuteStore.maximum - 2)) AS n
        """
      )
      let made = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<6 {
          let entity = try entity("x\(index)")
          group.addTask { [user, now] in try await mutes.mute(entity, of: user, until: nil, at: now) }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(made == 2)
      #expect(try await mutes.mutes(of: user, at: now).count == MuteStore.maximum)
      // Nothing new: it is muted already.
      #expect(try await mutes.mute(entity("2"), of: user, until: now + 5, at: now))
      #expect(try await !mutes.mute(entity("y"), of: user, until: nil, at: now))
      #expect(try await mutes.mute(entity("y"), of: user, until: nil, at: now + 60))
    }
  }
}
