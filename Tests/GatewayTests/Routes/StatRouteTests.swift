import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// `GET /api/v1/admin/stats`
@Suite struct StatRouteTests {
  private static let path = "/api/v1/admin/stats"
  /// 2024-10-04
  private static let today = Date(timeIntervalSince1970: 20_000 * 86_400 + 43_200)

  private static func tally(
    _ channel: Channel?,
    type: Int = 10,
    at time: Date = today,
    _ change: (inout StatStore.Counts) -> Void
  ) -> StatStore.Tally {
    var counts = StatStore.Counts()
    change(&counts)
    return StatStore.Tally(at: time, type: type, channel: channel, counts: counts)
  }

  private func with(_ body: @escaping @Sendable (TestGateway, Caller) async throws -> Void) async throws {
    try await TestGateway.with(clock: { Self.today }) { gateway in
      let tallies = [
        Self.tally(nil) { ($0.sent, $0.delivered, $0.opened, $0.acted) = (100, 80, 20, 5) },
        Self.tally(.push) { ($0.sent, $0.delivered, $0.failed, $0.displayed, $0.opened) = (70, 69, 1, 60, 90) },
        Self.tally(.push, type: 0) { ($0.asked, $0.granted, $0.denied) = (20, 15, 5) },
        Self.tally(nil, type: 0) { $0.unsubscribed = 1 },
        Self.tally(.push, type: 11) { $0.unsubscribed = 1 },
        Self.tally(nil, at: Self.today - 29 * 86_400) { $0.sent = 1 },
        Self.tally(nil, at: Self.today - 30 * 86_400) { $0.sent = 1_000 },
      ]
      _ = try await gateway.database.query(StatStore.tally(tallies))
      try await body(gateway, try await Caller.service(role: .admin))
    }
  }

  @Test func `the last thirty days are counted by type`() async throws {
    try await with { gateway, admin in
      let answer = try await gateway.call(.get, Self.path, as: admin).expect(.ok)
      let json = try answer.json()
      #expect(json["from"] as? String == "2024-09-05" && json["to"] as? String == "2024-10-04")
      #expect(json["by"] as? String == "type")
      let rows = try answer.list("rows")
      #expect(rows.map { $0["type"] as? Int } == [10, 11])
      #expect(rows.first?["typeName"] as? String == "AllowanceDeposit")
      let counts = [
        "notifications", "inbox", "sent", "delivered", "failed", "displayed", "opened", "acted", "unsubscribed",
      ]
      #expect(counts.map { rows.first?[$0] as? Int } == [101, 80, 150, 149, 1, 60, 20, 5, 0])
      let rates = ["deliveredRate", "openRate", "actionRate", "unsubscribeRate"]
      #expect(rates.map { rows.first?[$0] as? Double } == [0.9933, 0.25, 0.0625, 0])
      // Nothing was sent of it.
      for rate in rates { #expect(rows.last?[rate] is NSNull, "\(rate)") }
      let permissions = try #require(json["permissions"] as? [String: Any])
      #expect(["requested", "granted", "denied"].map { permissions[$0] as? Int } == [20, 15, 5])
      #expect(permissions["rate"] as? Double == 0.75)
      let unsubscribes = try #require(json["unsubscribes"] as? [String: Any])
      #expect(unsubscribes["count"] as? Int == 2 && unsubscribes["rate"] as? Double == 0.0198)
    }
  }

  @Test func `a channel counts what went there, and what was opened of it, never more than all`() async throws {
    try await with { gateway, admin in
      let rows = try await gateway.call(.get, "\(Self.path)?by=channel", as: admin).expect(.ok).list("rows")
      #expect(rows.map { $0["channelName"] as? String } == ["inApp", "push"])
      #expect(rows.map { $0["channel"] as? Int } == [1, 2])
      #expect(rows.allSatisfy { $0["notifications"] == nil && $0["inbox"] == nil })
      #expect(rows.map { $0["sent"] as? Int } == [80, 70] && rows.map { $0["opened"] as? Int } == [20, 90])
      #expect(rows.map { $0["displayed"] as? Int } == [0, 60])
      #expect(rows.map { $0["openRate"] as? Double } == [0.25, 1])
      #expect(rows.map { ($0["permissions"] as? [String: Any])?["granted"] as? Int } == [0, 15])
    }
  }

  @Test(
    arguments: [(0, 0, nil), (0, 1, nil), (2, 3, nil), (2, 2, 1), (3, 0, 0), (3, 1, 0.3333)] as [(Int, Int, Double?)]
  )
  func `the rate of permissions is of those that were asked, and none where more said yes`(
    _ asked: Int,
    _ granted: Int,
    _ rate: Double?
  ) async throws {
    try await TestGateway.with(clock: { Self.today }) { gateway in
      let tally = Self.tally(.push, type: 0) { ($0.asked, $0.granted, $0.denied) = (asked, granted, 4) }
      _ = try await gateway.database.query(StatStore.tally([tally]))
      let admin = try await Caller.service(role: .admin)
      let answer = try await gateway.call(.get, "\(Self.path)?by=day", as: admin).expect(.ok)
      for answered in [try answer.json(), try #require(try answer.list("rows").first)] {
        let permissions = try #require(answered["permissions"] as? [String: Any])
        #expect(permissions["granted"] as? Int == granted)
        #expect(permissions["rate"] as? Double == rate)
        #expect((permissions["rate"] is NSNull) == (rate == nil))
      }
    }
  }

  @Test func `days are listed in their order, and only those that are asked for`() async throws {
    try await with { gateway, admin in
      func days(_ query: String) async throws -> [String?] {
        let answer = try await gateway.call(.get, "\(Self.path)?by=day&\(query)", as: admin).expect(.ok)
        return try answer.list("rows").map { $0["day"] as? String }
      }
      #expect(try await days("") == ["2024-09-05", "2024-10-04"])
      #expect(try await days("from=2024-09-04") == ["2024-09-04", "2024-09-05", "2024-10-04"])
      #expect(try await days("to=2024-09-05") == ["2024-09-04", "2024-09-05"])
      #expect(try await days("from=2024-09-06&to=2024-10-03") == [])
      let empty = try await gateway.call(.get, "\(Self.path)?from=2024-09-06&to=2024-10-03", as: admin).expect(.ok)
      #expect(
        empty.text
          == #"{"from":"2024-09-06","to":"2024-10-03","by":"type","rows":[],"#
          + #""permissions":{"requested":0,"granted":0,"denied":0,"rate":null},"unsubscribes":{"count":0,"rate":null}}"#
      )
    }
  }

  @Test(arguments: [
    ("by=week", ["by"]), ("from=1.11.2026", ["from"]), ("to=2026-02-30", ["to"]),
    ("from=2026-11-02&to=2026-11-01", ["from"]),
    ("from=2025-11-01&to=2026-11-02", ["from"]), ("from=x&to=y&by=z", ["to", "from", "by"]),
  ])
  func `what is not understood is refused by name`(_ query: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let admin = try await Caller.service(role: .admin)
      let answer = try await gateway.call(.get, "\(Self.path)?\(query)", as: admin)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `what users open, do and leave is in the next answer`() async throws {
    try await TestGateway.with { gateway in
      let (admin, ann) = (try await Caller.service(role: .admin), try await Caller.user())
      let id = try #require(try await gateway.store(2, for: ann.id).first)
      _ = try await gateway.call(.post, "/api/v1/notifications/\(id)/opened", as: ann).expect(.noContent)
      let off = #"{"notificationsEnabled":false}"#
      _ = try await gateway.call(.put, "/api/v1/notifications/preferences", as: ann, body: off).expect(.ok)
      let answer = try await gateway.call(.get, Self.path, as: admin).expect(.ok)
      let row = try #require(try answer.list("rows").first)
      #expect(["notifications", "inbox", "sent", "opened"].map { row[$0] as? Int } == [2, 2, 2, 1])
      #expect(row["openRate"] as? Double == 0.5)
      let unsubscribes = try #require(try answer.json()["unsubscribes"] as? [String: Any])
      #expect(unsubscribes["count"] as? Int == 1 && unsubscribes["rate"] as? Double == 0.5)
    }
  }
}
