import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// What a request came to, whose it is, and how the part of it that waits is withdrawn.
struct RequestStoreTests {
  private let start = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))
  private var held: ChannelDecision { .hold(until: start, .paused) }

  private func routed(
    _ request: RequestID,
    _ user: UserID = Sample.user(),
    owner: RequestOwner = .named("shop"),
    inApp: ChannelDecision = .deliver,
    push: ChannelDecision = .deliver,
    email: ChannelDecision = .skip(.preferenceOff)
  ) -> NewNotification {
    var notification = Sample.notification(user, request: request, inApp: inApp, push: push, email: email)
    notification.owner = owner
    return notification
  }

  private func store(_ notifications: [NewNotification], _ client: PostgresClient) async throws {
    _ = try await NotificationStore(client: client).store(notifications, contents: [try Sample.content(at: start)])
  }

  private func plan(_ notification: NewNotification, _ client: PostgresClient) async throws -> RoutingPlan? {
    try await HeldStore(client: client).contents(of: [(notification.userID, notification.id)])[notification.id]?.plan
  }

  // MARK: Numbers

  @Test func `each recipient is counted once on each channel, by the best that became of it`() async throws {
    try await TestDatabase.with { client in
      let request = RequestID(now: start)
      let items =
        (0..<4).map { _ in routed(request) } + [
          routed(request, push: held, email: .deliver),
          routed(request, inApp: .skip(.notificationsOff), push: .skip(.composed)),
          routed(request, push: .skip(.noActiveDevice)),
        ]
      try await store(items + [routed(RequestID(now: start))], client)
      func record(_ item: Int, _ target: String, _ outcome: DeliveryOutcome) -> DeliveryStore.Record {
        .init(
          userID: items[item].userID,
          notificationID: items[item].id,
          channel: .push,
          target: target,
          outcome: outcome,
          attempts: 1
        )
      }
      try await DeliveryStore(client: client).record([
        record(0, "a", .delivered), record(0, "b", .rejected), record(1, "a", .exhausted), record(1, "b", .rejected),
        record(2, "a", .expired),
      ])
      let numbers = try await RequestStore(client: client).numbers(of: request, limit: 100)
      var (inApp, push, email) = (RequestNumbers.Line(), RequestNumbers.Line(), RequestNumbers.Line())
      (inApp.delivered, inApp.skipped) = (6, [.notificationsOff: 1])
      (push.delivered, push.pending, push.held, push.failed) = (1, 1, 1, 2)
      push.skipped = [.composed: 1, .noActiveDevice: 1]
      (email.pending, email.skipped) = (1, [.preferenceOff: 6])
      #expect(numbers.channels == [.inApp: inApp, .push: push, .email: email])
      #expect(numbers.recipients == 7)
      #expect(try await RequestStore(client: client).numbers(of: request, limit: 3).recipients == 3)
      #expect(try await RequestStore(client: client).numbers(of: RequestID(now: start), limit: 3).recipients == 0)
    }
  }

  @Test func `what left the inbox was delivered, and what never came in was not`() async throws {
    try await TestDatabase.with { client in
      let request = RequestID(now: start)
      let left = InboxState.allCases.filter { $0 != .inbox }.map { ChannelDecision.leftInbox($0) }
      let decisions = left + [.skip(.cancelled), .skip(.notificationsOff)]
      try await store(decisions.map { routed(request, inApp: $0, push: .skip(.deleted)) }, client)
      let channels = try await RequestStore(client: client).numbers(of: request, limit: 10).channels
      #expect(channels[.inApp]?.delivered == 4)
      #expect(channels[.inApp]?.skipped == [.cancelled: 1, .notificationsOff: 1])
      #expect(channels[.push]?.skipped == [.deleted: 6])
    }
  }

  @Test func `channels without a column are counted too`() async throws {
    try await TestDatabase.with { client in
      let request = RequestID(now: start)
      var (sent, waiting) = (routed(request), routed(request))
      sent.plan[Channel(rawValue: 7)] = .deliver
      waiting.plan[Channel(rawValue: 7)] = held
      try await store([sent, waiting], client)
      let line = try await RequestStore(client: client).numbers(of: request, limit: 9).channels[Channel(rawValue: 7)]
      #expect((line?.pending, line?.held) == (1, 1))
    }
  }

  @Test func `a request is its owner's, nobody's but an admin's, or everybody's`() async throws {
    try await TestDatabase.with { client in
      let requests = RequestStore(client: client)
      for (owner, expected) in [
        (RequestOwner.named("shop"), RequestStore.Ownership.yours), (.named("bank"), .notYours), (.anybody, .yours),
        (.unknown, .unnamed),
      ] {
        let request = RequestID(now: start)
        #expect(try await requests.ownership(of: request, for: "shop") == .notStored)
        try await store([routed(request, owner: owner)], client)
        #expect(try await requests.ownership(of: request, for: "shop") == expected)
        #expect(try await requests.ownership(of: request, for: nil) == .yours)
      }
    }
  }

  // MARK: Withdrawing

  @Test func `what waits is left out and counted once, and what was sent stays`() async throws {
    try await TestDatabase.with { client in
      let requests = RequestStore(client: client)
      let request = RequestID(now: start)
      var both = routed(request, push: held, email: held)
      both.plan[Channel(rawValue: 7)] = held
      both.plan[Channel(rawValue: 8)] = .deliver
      let (one, sent) = (routed(request, push: .deliver, email: held), routed(request))
      let other = routed(RequestID(now: start), push: held)
      try await store([both, one, sent, other], client)
      let first = try await requests.withdrawWaiting(of: request, limit: 100)
      #expect((first.count, first.isComplete) == (2, true))
      let (cancelled, partly) = (try await plan(both, client), try await plan(one, client))
      #expect([.push, .email, Channel(rawValue: 7)].allSatisfy { cancelled?[$0] == .skip(.cancelled) })
      #expect(cancelled?[Channel(rawValue: 8)] == .deliver)
      #expect((partly?[.push], partly?[.email]) == (.deliver, .skip(.cancelled)))
      #expect(try await plan(sent, client) == sent.plan)
      #expect(cancelled?[.inApp] == .deliver)
      // Another request's is not touched, and nothing is left over of this one.
      #expect(try await client.column("SELECT notification_id FROM held", as: NotificationID.self) == [other.id])
      #expect(try await plan(other, client)?[.push] == held)
      #expect(try await requests.withdrawWaiting(of: request, limit: 100) == .init())
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `what a router has settled stays to be delivered, also before it is published`() async throws {
    try await TestDatabase.with { client in
      let (requests, store) = (RequestStore(client: client), HeldStore(client: client))
      let request = RequestID(now: start)
      let item = routed(request, push: held, email: .hold(until: start + 600, .unread))
      try await self.store([item], client)
      let claim = try await store.claim(types: [10], limit: 9, now: start, until: start + 60)
      let entry = try #require(claim.entries.first)
      let change = DecisionChange(id: item.id, userID: item.userID, from: held, to: .deliver)
      _ = try await store.settle(.init(changes: [.init(entry, change)], compositions: [], now: start), of: claim)
      #expect(try await requests.withdrawWaiting(of: request, limit: 100).count == 1)
      #expect(try await plan(item, client)?[.push] == .deliver)
      #expect(try await plan(item, client)?[.email] == .skip(.cancelled))
      // Who dies now has left it for the next one.
      let next = try await store.claim(types: [10], limit: 9, now: start + 60, until: start + 120)
      #expect(next.entries.map(\.key) == [entry.key])
    }
  }

  @Test func `a claimant finds that what it has was withdrawn, and publishes nothing of it`() async throws {
    try await TestDatabase.with { client in
      let (requests, store) = (RequestStore(client: client), HeldStore(client: client))
      let request = RequestID(now: start)
      let item = routed(request, push: held)
      try await self.store([item], client)
      let claim = try await store.claim(types: [10], limit: 9, now: start, until: start + 60)
      #expect(try await requests.withdrawWaiting(of: request, limit: 100).count == 1)
      let entry = try #require(claim.entries.first)
      let change = DecisionChange(id: item.id, userID: item.userID, from: held, to: .deliver)
      let result = try await store.settle(
        .init(changes: [.init(entry, change)], compositions: [], now: start),
        of: claim
      )
      #expect(result.owned.isEmpty && result.changed.isEmpty)
      #expect(try await plan(item, client)?[.push] == .skip(.cancelled))
    }
  }

  @Test func `of a router that settles and a withdrawal one is first, for each notification`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let (requests, store) = (RequestStore(client: client), HeldStore(client: client))
      let request = RequestID(now: start)
      let items = (0..<300).map { _ in routed(request, push: held) }
      try await self.store(items, client)
      async let settled = withThrowingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            var routed: Set<NotificationID> = []
            while true {
              let claim = try await store.claim(types: [10], limit: 20, now: start, until: start + 60)
              guard !claim.entries.isEmpty else { return routed }
              let changes = claim.entries.map { entry in
                HeldSettlement.Change(
                  entry,
                  DecisionChange(id: entry.key.notification, userID: entry.key.user, from: held, to: .deliver)
                )
              }
              let settlement = HeldSettlement(changes: changes, compositions: [], now: start)
              routed.formUnion(try await store.settle(settlement, of: claim).changed[.push] ?? [])
              try await store.finish(claim)
            }
          }
        }
        return try await group.reduce(into: Set<NotificationID>()) { $0.formUnion($1) }
      }
      let withdrawn = try await withThrowingTaskGroup { group in
        for _ in 0..<3 { group.addTask { try await requests.withdrawWaiting(of: request, limit: 1_000).count } }
        return try await group.reduce(0, +)
      }
      let delivered = try await settled
      #expect(delivered.count + withdrawn == items.count)
      let cancelled = try await client.column("SELECT id FROM notifications WHERE push = 14", as: NotificationID.self)
      #expect(Set(cancelled).isDisjoint(with: delivered))
      #expect(cancelled.count == withdrawn)
      #expect(try await client.value("SELECT count(*) FROM held", as: Int.self) == 0)
    }
  }
}
