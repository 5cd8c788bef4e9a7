import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// In which zones people live.
struct AudienceTests {
  private func settle(_ client: PostgresClient, _ zones: [UserID: String?]) async throws {
    let users = UserStore(client: client)
    for (user, zone) in zones {
      let profile = UserStore.Profile(email: nil, displayName: nil, locale: nil, timezone: zone, isEnabled: true)
      _ = try await users.put(profile, of: user)
    }
  }

  @Test func `an audience's zones are those of its people, with one for those who have none`() async throws {
    try await TestDatabase.with { client in
      let people = Sample.users(5)
      try await settle(
        client,
        [people[0]: "Europe/Berlin", people[1]: "Asia/Tokyo", people[2]: nil, people[3]: "America/New_York"]
      )
      let audiences = AudienceStore(client: client)
      #expect(try await audiences.zones(of: .users([people[0], people[1]])) == ["Europe/Berlin", "Asia/Tokyo"])
      #expect(try await audiences.zones(of: .users([people[2], people[4]])) == [""])
      try await GroupStore(client: client).replace("team", members: Array(people.prefix(3)))
      #expect(try await audiences.zones(of: .group("team", except: [])) == ["Europe/Berlin", "Asia/Tokyo", ""])
      #expect(try await audiences.zones(of: .group("nobody", except: [])).isEmpty)
      // Of a topic nobody is known: an occurrence of a schedule comes once, in the deployment's zone.
      #expect(try await audiences.zones(of: .topic(TopicAudience(topic: "news"))) == [""])
      let residents = try await audiences.residents(of: ["", "Asia/Tokyo"], among: people.reversed())
      #expect(residents == [people[4], people[2], people[1]])
    }
  }

  @Test func `of a large group all zones in use count`() async throws {
    try await TestDatabase.with { client in
      try await settle(client, [Sample.user(): "Pacific/Apia", Sample.user(): "Asia/Tokyo", Sample.user(): nil])
      _ = try await client.query(
        "INSERT INTO group_members SELECT 'large', gen_random_uuid() FROM generate_series(1, 1001)"
      )
      let zones = try await AudienceStore(client: client).zones(of: .group("large", except: []))
      #expect(zones == ["Pacific/Apia", "Asia/Tokyo", ""])
    }
  }
}
