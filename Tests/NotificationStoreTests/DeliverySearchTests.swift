import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What came of deliveries, by user, request, outcome and time.
struct DeliverySearchTests {
  private typealias Filter = DeliverySearch.Filter

  /// Two requests: the first to three people, the second to two of them; three targets of each, every other one two days old.
  /// And outcomes of notifications that are not there.
  private struct Traffic {
    let users = Sample.users(3).sorted()
    let requests = [RequestID(now: .now - 60), RequestID(now: .now)]

    init(_ client: PostgresClient) async throws {
      let outcomes = DeliveryOutcome.allCases
      var records: [DeliveryStore.Record] = []
      for (request, users) in zip(requests, [users, Array(users.prefix(2))]) {
        let notifications = users.map { Sample.notification($0, request: request) }
        _ = try await NotificationStore(client: client).store(notifications, contents: [try Sample.content()])
        for notification in notifications {
          for channel in [Channel.push, .push, .email] {
            let record = DeliveryStore.Record(
              userID: notification.userID,
              notificationID: notification.id,
              channel: channel,
              target: "\(records.count)",
              outcome: outcomes[records.count % outcomes.count],
              reason: "reason",
              providerID: "provider",
              attempts: 2,
              type: 10
            )
            records.append(record)
          }
        }
      }
      for outcome in outcomes + outcomes {
        let gone = Sample.notification(Sample.user())
        records.append(
          DeliveryStore.Record(
            userID: gone.userID,
            notificationID: gone.id,
            channel: .push,
            target: "\(records.count)",
            outcome: outcome,
            attempts: 1,
            type: 10
          )
        )
      }
      // In one statement: all are of the same moment.
      try await DeliveryStore(client: client).record(records)
      _ = try await client.query(
        "UPDATE deliveries SET finished_at = finished_at - interval '2 days' WHERE target::int % 2 = 1"
      )
    }
  }

  /// All targets, page by page.
  private func targets(_ filter: Filter, by limit: Int, _ search: DeliverySearch) async throws -> [String] {
    var targets: [String] = []
    var cursor: DeliverySearch.Cursor?
    while true {
      let page = try #require(try await search.page(filter, after: cursor, limit: limit))
      targets += page.entries.map(\.delivery.target)
      #expect(page.entries.count == limit || !page.hasMore)
      guard page.hasMore else { return targets }
      cursor = try #require(page.entries.last).cursor
    }
  }

  @Test func `whatever is looked for comes page by page, the newest first, none twice and none left out`() async throws
  {
    try await TestDatabase.with { client in
      let traffic = try await Traffic(client)
      let search = DeliverySearch(client: client)
      let (user, request) = (traffic.users[0], traffic.requests[1])
      let recently = Date.now - 86_400
      let cases: [(Filter, String)] = [
        (.init(user: user), "d.user_id = '\(user)'"),
        (.init(user: user, request: request), "d.user_id = '\(user)' AND n.request_id = '\(request)'"),
        (.init(user: user, outcome: .delivered), "d.user_id = '\(user)' AND d.outcome = 1"),
        (
          .init(user: user, since: recently),
          "d.user_id = '\(user)' AND d.finished_at > now() - interval '1 day'"
        ),
        (.init(request: request), "n.request_id = '\(request)'"),
        (.init(request: request, outcome: .expired), "n.request_id = '\(request)' AND d.outcome = 4"),
        (
          .init(request: traffic.requests[0], since: recently),
          "n.request_id = '\(traffic.requests[0])' AND d.finished_at > now() - interval '1 day'"
        ),
        (.init(outcome: .rejected), "d.outcome = 2"),
        (.init(outcome: .exhausted), "d.outcome = 3"),
        (.init(outcome: .exhausted, since: recently), "d.outcome = 3 AND d.finished_at > now() - interval '1 day'"),
        (.init(), "d.outcome <> 1"),
        (.init(since: recently), "d.outcome <> 1 AND d.finished_at > now() - interval '1 day'"),
        (.init(user: Sample.user()), "false"),
        (.init(request: RequestID(now: .now)), "false"),
      ]
      for (filter, condition) in cases {
        let expected = try await client.column(
          """
          SELECT d.target FROM deliveries d JOIN notifications n ON n.user_id = d.user_id AND n.id = d.notification_id
          WHERE \(unescaped: condition)
          ORDER BY d.finished_at DESC, d.user_id DESC, d.notification_id DESC, d.channel DESC, d.target DESC
          """,
          as: String.self
        )
        for limit in [1, 2, 100] {
          #expect(try await targets(filter, by: limit, search) == expected, "\(condition), \(limit) a page")
        }
      }
    }
  }

  @Test func `an entry names the notification, the request, the type and what came of it`() async throws {
    try await TestDatabase.with { client in
      let traffic = try await Traffic(client)
      let page = try await DeliverySearch(client: client).page(.init(user: traffic.users[2]), limit: 10)
      let entries = try #require(page).entries
      let id = NotificationID(request: traffic.requests[0], recipient: traffic.users[2])
      #expect(entries.count == 3)
      #expect(entries.allSatisfy { $0.recipient == .init(user: traffic.users[2], notification: id) })
      #expect(entries.allSatisfy { $0.request == traffic.requests[0] && $0.type == 10 })
      let first = try #require(entries.first { $0.delivery.target == "6" }).delivery
      #expect(first.channel == .push && first.outcome == DeliveryOutcome.rejected.rawValue)
      #expect(first.reason == "reason" && first.providerID == "provider" && first.attempts == 2)
      #expect(abs(first.finishedAt.timeIntervalSinceNow) < 600)
    }
  }

  @Test func `of a request to too many nothing is searched but with a user, and some filters are no way in`()
    async throws
  {
    try await TestDatabase.with { client in
      let traffic = try await Traffic(client)
      var search = DeliverySearch(client: client)
      search.maximumRecipients = 2
      #expect(try await search.page(.init(request: traffic.requests[0]), limit: 10) == nil)
      #expect(try await search.page(.init(request: traffic.requests[1]), limit: 10)?.entries.count == 6)
      let one = Filter(user: traffic.users[0], request: traffic.requests[0])
      #expect(try await search.page(one, limit: 10)?.entries.count == 3)
    }
    let none: [Filter] = [.init(outcome: .delivered), .init(outcome: .delivered, since: .now)]
    #expect(none.allSatisfy { !$0.isIndexed })
    let some: [Filter] = [
      .init(), .init(since: .now), .init(user: Sample.user()), .init(request: RequestID(now: .now)),
      .init(outcome: .expired),
      .init(user: Sample.user(), outcome: .delivered),
    ]
    #expect(some.allSatisfy { $0.isIndexed })
  }
}
