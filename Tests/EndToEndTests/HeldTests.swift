import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// What a person gets later, or not at all because they have seen it.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct HeldTests {
    @Test func `what waits is in the inbox and on the hub at once, and pushed only if nobody has read it`() async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let hub = try await HubClient.connect(.pysignalr, to: belfry, as: ann)
        for label in ["unread", "read"] {
          _ = try await belfry.send(
            #"{"to":{"users":["\#(ann.id)"]},"type":"ParcelMoved","data":{"label":"\#(label)"}}"#
          ).expect(202)
        }
        try await eventually("both are on the hub") { try hub.notifications().count == 2 }
        let shown = try hub.notifications()
        #expect(Set(shown.compactMap { $0["title"] as? String }) == ["Parcel unread", "Parcel read"])
        let ids = Set(shown.compactMap { $0["id"] as? String })
        #expect(Set(try await belfry.inbox(of: ann).map(\.id)) == ids)
        let held = try await belfry.database.query(
          "SELECT notification_id::text FROM held WHERE user_id = \(ann.id.uuid) AND channel = 2"
        )
        #expect(Set(try held.map { try $0.get(0, as: String.self) }) == ids)
        #expect(try await belfry.pushes(to: ann.devices[0]).isEmpty)

        let read = try #require(shown.first { $0["title"] as? String == "Parcel read" }?["id"] as? String)
        let unread = try #require(ids.first { $0 != read })
        _ = try await belfry.call("PATCH", "/api/v1/notifications/\(read)/read", token: ann.token).expect(200)

        try await eventually("nothing waits any more") {
          try await belfry.database.query("SELECT count(*) FROM held WHERE user_id = \(ann.id.uuid)").first?.get(0) == 0
        }
        try await eventually("the push is recorded") { try await waited(belfry, for: ann) != nil }
        #expect(try await belfry.pushes(to: ann.devices[0]).map { $0["notificationId"] as? String } == [unread])
        #expect(try #require(try await waited(belfry, for: ann)) >= 3)
        let decided = try await belfry.database.query(
          "SELECT push FROM notifications WHERE user_id = \(ann.id.uuid) AND id::text = \(read)"
        )
        #expect(try decided.first?.get(0) == ChannelDecision.skip(.read).code)
      }
    }

    /// Seconds from a notification to its push; nil before that is recorded.
    private func waited(_ belfry: TestStack, for person: Person) async throws -> Double? {
      try await belfry.database.query(
        """
        SELECT extract(epoch FROM d.finished_at - n.created_at)::float8
        FROM deliveries d JOIN notifications n ON n.user_id = d.user_id AND n.id = d.notification_id
        WHERE d.user_id = \(person.id.uuid) AND d.channel = 2 AND d.outcome = 1
        """
      ).first?.get(0, as: Double.self)
    }
  }
}
