import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Testing

@testable import Dispatching

@Suite struct AttemptTests {
  /// A channel of which only the properties count.
  private struct TestChannel: DeliveryChannel {
    let queue = WorkQueue.push
    let channel = Channel.push
    let maximumAttempts = 3
    let concurrency = 1
    let longestDelivery = Duration.seconds(1)

    func deliver(_ targeted: TargetedDelivery) async -> DeliveryResult { .abandoned }

    func forget(_ targets: [ForgottenTarget]) async throws {}
  }

  private let user: UserID
  private let content: NotificationContent
  /// Each to a phone and a tablet.
  private let first: [TargetedDelivery]
  private let second: [TargetedDelivery]

  init() throws {
    let user = try #require(UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"))
    let type = try #require(try Catalogue().type(.code(10)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Hello", body: "World", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
    )
    func targeted(_ request: String) throws -> [TargetedDelivery] {
      let delivery = DispatchMessage.Delivery(
        notificationId: NotificationID(request: try #require(RequestID(request)), recipient: user),
        userId: user,
        content: 0,
        badge: 1,
        targets: [.init(id: "phone", address: "t1"), .init(id: "tablet", address: "t2")]
      )
      return Array(DispatchMessage(recheck: false, contents: [content], deliveries: [delivery]).targetedDeliveries)
    }
    self.user = user
    self.content = content
    first = try targeted("019a8b7c-6d5e-7f40-8123-456789abcdef")
    second = try targeted("019a8b7c-6d5e-7f40-8123-456789abcdee")
  }

  private func attempt(after failures: Int = 0) -> Attempt {
    Attempt(TestChannel(), ladder: RetryLadder(), failures: failures)
  }

  @Test func `a delivery that was accepted is recorded with the provider's id`() throws {
    var attempt = attempt(after: 1)
    attempt.add(.delivered(providerID: "p-1", note: "shortened"), first[0])
    let record = try #require(attempt.records.first)
    #expect(attempt.records.count == 1)
    #expect(record.userID == user)
    #expect(record.notificationID == first[0].delivery.notificationId)
    #expect(record.channel == .push)
    #expect(record.target == "phone")
    #expect(record.outcome == .delivered)
    #expect(record.providerID == "p-1")
    #expect(record.reason == "shortened")
    #expect(record.attempts == 2)
    #expect(record.type == 10)
    #expect(record.createdAt == content.createdAt)
    #expect(attempt.retries.isEmpty && attempt.exhausted.isEmpty && attempt.forgotten.isEmpty && !attempt.isAbandoned)
  }

  @Test func `a refusal is final and keeps the target unless it is of no use any more`() {
    var attempt = attempt()
    attempt.add(.rejected(reason: "INVALID_ARGUMENT"), first[0])
    #expect(attempt.forgotten.isEmpty)
    let gone = Date(timeIntervalSince1970: 1_700_000_000)
    attempt.add(.rejected(reason: "UNREGISTERED", forgetsTarget: true, goneSince: gone), first[1])
    #expect(attempt.records.map(\.outcome) == [.rejected])
    #expect(attempt.records.map(\.reason) == ["INVALID_ARGUMENT"])
    // Written down once the target is forgotten: a crash in between would leave it out for ever.
    #expect(attempt.lateRecords.map(\.outcome) == [.rejected])
    #expect(attempt.lateRecords.map(\.reason) == ["UNREGISTERED"])
    #expect(attempt.forgotten.map(\.target.id) == ["tablet"])
    #expect(attempt.forgotten.map(\.reason) == ["UNREGISTERED"])
    #expect(attempt.forgotten.map(\.goneSince) == [gone])
    #expect(attempt.forgotten.map(\.user) == [user])
    #expect(attempt.retries.isEmpty)
  }

  @Test func `what was not answered before a stop is recorded, and tried again with one more attempt`() throws {
    var attempt = attempt(after: 2)
    attempt.add(.uncertain(reason: "no answer to the final dot"), first[0])
    #expect(attempt.records.map(\.outcome) == [.uncertain])
    #expect(attempt.records.map(\.reason) == ["no answer to the final dot"])
    // The row tells the next attempt from this one, written again.
    #expect(attempt.records.map(\.attempts) == [3])
    let key = try #require(attempt.retries.keys.first)
    #expect(key.failures == 3 && key.notBefore == nil && attempt.retries.count == 1)
    #expect(!attempt.isAbandoned && attempt.lateRecords.isEmpty && attempt.exhausted.isEmpty)
  }

  @Test func `what is the whole provider's is done with the target as any other`() {
    var (ours, theirs) = (attempt(), attempt())
    let result = DeliveryResult.retry(reason: "421", first: .seconds(10), isProviderTrouble: true)
    ours.add(result, first[0])
    theirs.add(.ofProvider(result), first[0])
    #expect(Set(ours.retries.keys) == Set(theirs.retries.keys) && ours.lastReason == theirs.lastReason)
  }

  @Test func `a failure waits on the ladder with one more attempt and no outcome yet`() throws {
    var attempt = attempt()
    attempt.add(.retry(reason: "INTERNAL", first: .seconds(10)), first[1])
    #expect(attempt.records.isEmpty)
    #expect(attempt.lastReason == "INTERNAL")
    let entry = try #require(attempt.retries.first)
    #expect(attempt.retries.count == 1)
    #expect(entry.key == .init(tier: "belfry.push.retry.10s", failures: 1))
    #expect(entry.value.map(\.notificationId) == [first[0].delivery.notificationId])
    #expect(entry.value.flatMap(\.targets).map(\.id) == ["tablet"])
  }

  @Test func `a later failure waits longer, and at least as long as the provider says`() {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    var later = attempt(after: 1)
    later.add(.retry(reason: "INTERNAL", first: .seconds(10), after: .seconds(5)), first[0], now: now)
    later.add(.retry(reason: "UNAVAILABLE", first: .seconds(10), after: .seconds(300)), first[1], now: now)
    // By steps of 37 s, an eighth of it.
    #expect(
      Set(later.retries.keys) == [
        .init(tier: "belfry.push.retry.60s", failures: 2),
        .init(tier: "belfry.push.retry.60s", failures: 2, notBefore: now + 309),
      ]
    )
  }

  @Test func `the last failure is recorded and dead-lettered`() {
    var attempt = attempt(after: 2)
    attempt.add(.retry(reason: "INTERNAL", first: .seconds(10)), first[0])
    #expect(attempt.retries.isEmpty)
    #expect(attempt.lateRecords.map(\.outcome) == [.exhausted])
    #expect(attempt.lateRecords.map(\.attempts) == [3])
    #expect(attempt.lateRecords.map(\.reason) == ["INTERNAL"])
    #expect(attempt.exhausted.flatMap(\.targets).map(\.id) == ["phone"])
  }

  @Test func `what only people can fix is dead-lettered at once, whatever the attempt`() {
    var attempt = attempt()
    attempt.add(.deadLettered(reason: "550 5.7.1"), first[0])
    #expect(attempt.lateRecords.map(\.outcome) == [.exhausted])
    #expect(attempt.exhausted.flatMap(\.targets).map(\.id) == ["phone"])
    #expect(attempt.lastReason == "550 5.7.1")
    #expect(attempt.records.isEmpty && attempt.retries.isEmpty && attempt.forgotten.isEmpty)
  }

  @Test func `a refusal that repeats itself gives the target up`() {
    let refusal = DeliveryResult.retry(reason: "550 5.2.1", first: .seconds(10), thenForgetsTarget: true)
    var early = attempt()
    early.add(refusal, first[0])
    #expect(early.retries.count == 1 && early.forgotten.isEmpty)
    var last = attempt(after: 2)
    last.add(refusal, first[0])
    #expect(last.retries.isEmpty && last.exhausted.isEmpty)
    #expect(last.forgotten.map(\.target.id) == ["phone"])
    #expect(last.lateRecords.map(\.outcome) == [.rejected])
  }

  @Test func `what was postponed waits without counting an attempt, however often`() throws {
    var attempt = attempt(after: 2)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    attempt.add(.postponed(reason: "QUOTA_EXCEEDED", after: .seconds(50)), first[0], now: now)
    #expect(attempt.records.isEmpty && attempt.exhausted.isEmpty)
    #expect(try #require(attempt.retries.first).key == .init(tier: "belfry.push.retry.60s", failures: 2))
  }

  @Test func `what a used up quota held back waits as long as the provider says, without counting an attempt`() throws {
    var attempt = attempt(after: 2)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    attempt.add(.throttled(reason: "QUOTA_EXCEEDED", until: .seconds(45)), first[0], now: now)
    #expect(attempt.records.isEmpty && attempt.exhausted.isEmpty)
    #expect(
      try #require(attempt.retries.first).key
        == .init(tier: "belfry.push.retry.10s", failures: 2, notBefore: now + 45)
    )
  }

  @Test func `what waits a second longer than a tier does not wait for the next one`() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    for result in [
      DeliveryResult.postponed(reason: "stopped", after: .seconds(61)), .throttled(reason: "429", until: .seconds(61)),
      .retry(reason: "503", first: .seconds(10), after: .seconds(61)),
    ] {
      var attempt = attempt()
      attempt.add(result, first[0], now: now)
      let key = try #require(attempt.retries.first).key
      #expect(key.tier == "belfry.push.retry.60s")
      let end = try #require(key.notBefore)
      #expect(end >= now + 61 && end <= now + 68)
    }
  }

  @Test(arguments: [(0, nil, 10, 10), (1, nil, 10, 60), (1, 300, 300, 375), (1, 5_000, 5_000, 6_250)])
  func `jitter takes any time from what is asked for at least to the tier's own, or to a quarter more`(
    failures: Int,
    after: Int?,
    least: Double,
    most: Double
  ) throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000.75)
    for part in stride(from: 0.0, through: 1, by: 0.05) {
      var attempt = Attempt(TestChannel(), ladder: RetryLadder(), failures: failures, jitter: FullJitter { part })
      let result = DeliveryResult.retry(reason: "INTERNAL", first: .seconds(10), after: after.map { .seconds($0) })
      attempt.add(result, first[0], now: now)
      let key = try #require(attempt.retries.first).key
      #expect(key.failures == failures + 1)
      let wait = least + (most - least) * part
      let name = try #require(key.tier.split(separator: ".").last)
      let tier = try #require(Double(name.dropLast()))
      if let end = key.notBefore {
        // It comes back before, and waits on.
        let late = end.timeIntervalSince(now) - wait
        #expect(tier < wait && late >= -0.001 && late <= max(1, wait / 8), "\(part): \(key)")
      } else {
        #expect(tier >= wait - 0.001 && tier <= wait + max(wait / 4, 5), "\(part): \(key)")
      }
    }
  }

  @Test func `what of a message failed alike stays together, whatever the jitter`() {
    let jitter = FullJitter { Bool.random() ? 0 : 1 }
    var tiers: Set<String> = []
    for _ in 0..<50 {
      var attempt = Attempt(TestChannel(), ladder: RetryLadder(), failures: 1, jitter: jitter)
      for _ in 0..<10 { attempt.add(.retry(reason: "INTERNAL", first: .seconds(10)), first[0]) }
      #expect(attempt.retries.count == 1)
      tiers.formUnion(attempt.retries.keys.map(\.tier))
    }
    #expect(tiers == ["belfry.push.retry.10s", "belfry.push.retry.60s"])
  }

  @Test func `a wait beyond the last tier remembers its end, a failure counted and a postponement not`() {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    var attempt = attempt(after: 1)
    attempt.add(.retry(reason: "UNAVAILABLE", first: .seconds(10), after: .seconds(36_000)), first[0], now: now)
    attempt.add(.postponed(reason: "QUOTA_EXCEEDED", after: .seconds(36_000)), first[1], now: now)
    let end = now + 36_000
    #expect(
      Set(attempt.retries.keys) == [
        .init(tier: "belfry.push.retry.21600s", failures: 2, notBefore: end),
        .init(tier: "belfry.push.retry.21600s", failures: 1, notBefore: end),
      ]
    )
  }

  @Test(arguments: [
    (60_000.0, "21600s"), (20_000, "21600s"), (14_400, "7200s"), (7_000, "7200s"), (300, "60s"), (0.5, "1s"),
  ])
  func `what comes back too early waits on, for the rest alone, and counts nothing`(_ rest: Double, _ tier: String)
    throws
  {
    let end = Date(timeIntervalSince1970: 1_800_000_000)
    var attempt = attempt(after: 2)
    attempt.wait(until: end, first[0], now: end - rest)
    #expect(
      try #require(attempt.retries.first).key
        == .init(tier: "belfry.push.retry.\(tier)", failures: 2, notBefore: end)
    )
    #expect(attempt.records.isEmpty && attempt.exhausted.isEmpty)
  }

  @Test func `what was abandoned leaves no trace but the mark`() {
    var attempt = attempt()
    attempt.add(.abandoned, first[0])
    #expect(attempt.isAbandoned)
    #expect(attempt.records.isEmpty && attempt.retries.isEmpty && attempt.exhausted.isEmpty)
  }

  @Test func `what came too late is recorded without counting this attempt`() {
    var attempt = attempt(after: 1)
    attempt.expire(first[0])
    #expect(attempt.records.map(\.outcome) == [.expired])
    #expect(attempt.records.map(\.attempts) == [1])
    #expect(attempt.retries.isEmpty)
  }

  @Test func `targets of one notification wait together, those of others apart`() throws {
    var attempt = attempt()
    let failure = DeliveryResult.retry(reason: "INTERNAL", first: .seconds(10))
    attempt.add(failure, first[0])
    attempt.add(failure, first[1])
    attempt.add(failure, second[0])
    let waiting = try #require(attempt.retries.first?.value)
    #expect(waiting.map(\.notificationId) == [first[0].delivery.notificationId, second[0].delivery.notificationId])
    #expect(waiting.map { $0.targets.map(\.id) } == [["phone", "tablet"], ["phone"]])
  }

  @Test func `results in any order lose no target`() {
    var attempt = attempt()
    let failure = DeliveryResult.retry(reason: "INTERNAL", first: .seconds(10))
    for targeted in [first[0], second[1], first[1], second[0]] { attempt.add(failure, targeted) }
    let tried = attempt.retries.values.joined().flatMap { delivery in
      delivery.targets.map { "\(delivery.notificationId) \($0.id)" }
    }
    #expect(tried.count == 4)
    #expect(Set(tried).count == 4)
  }
}
