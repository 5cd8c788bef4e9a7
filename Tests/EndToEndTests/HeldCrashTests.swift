import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// What waits, schedules, rules and digests: nothing is lost, nothing doubles and nothing is miscounted, whatever dies.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct HeldCrashTests {
    @Test func `routers killed in the middle of what is due lose, double and miscount nothing`() async throws {
      try await check(mayRepeatCompositions: false) { belfry, load, random in
        for round in load.rounds.indices {
          async let reporting: Void = {
            try await load.prepare(round)
            try await load.report(round)
          }()
          for _ in 0..<2 {
            for router in belfry.stack.services(.router).shuffled(using: &random) {
              await somebodyIsAtIt(belfry, &random)
              await router.kill()
              try router.launch()
            }
          }
          try await reporting
          try await endClaims(belfry, of: load)
        }
      }
    }

    @Test func `RabbitMQ and PostgreSQL killed in the middle of what is due lose, double and miscount nothing`()
      async throws
    {
      try await check(mayRepeatCompositions: true) { belfry, load, random in
        for round in load.rounds.indices {
          try await eventually("the gateway is ready") {
            try await belfry.call("GET", "/health/ready").status == 200
          }
          try await load.prepare(round)
          async let reporting: Void = load.report(round)
          if round > 0 {
            await somebodyIsAtIt(belfry, &random)
            await belfry.stack.rabbitmq.kill()
            try await belfry.stack.rabbitmq.restart()
          }
          await somebodyIsAtIt(belfry, &random)
          await belfry.stack.postgres.kill()
          try await belfry.stack.postgres.restart()
          try await reporting
        }
        try await endClaims(belfry, of: load)
      }
    }

    /// Runs two rounds of work while somebody kills, and looks at what came of it. Routers run afterwards in any case.
    private func check(
      mayRepeatCompositions: Bool,
      _ kill: (TestStack, WaitingLoad, inout SplitMix64) async throws -> Void
    ) async throws {
      let seed = UInt64.random(in: .min ... .max)
      try await TestStack.with { belfry in
        do {
          var random = SplitMix64(seed: seed)
          let load = try await WaitingLoad(belfry, rounds: 2, seed: random.next())
          try await kill(belfry, load, &random)
          try await load.check(mayRepeatCompositions: mayRepeatCompositions, "seed \(seed)")
        } catch {
          Issue.record("seed \(seed): \(error)")
          for router in belfry.stack.services(.router) { try await router.restart() }
        }
      }
    }

    /// Returns at some moment: in the midst of what a router has claimed, or else while there is only what is being delivered.
    private func somebodyIsAtIt(_ belfry: TestStack, _ random: inout SplitMix64) async {
      let deadline = ContinuousClock.now + .milliseconds(random.below(2_500))
      let before = await latestClaim(belfry)
      while await latestClaim(belfry) == before, ContinuousClock.now < deadline { await pause(.milliseconds(5)) }
      await pause(.milliseconds(random.below(150)))
    }

    /// Nil if there is none, or the database cannot say.
    private func latestClaim(_ belfry: TestStack) async -> Date? {
      try? await belfry.database.query("SELECT max(claimed_until) FROM held").first?.get(0, as: Date?.self)
    }

    /// Shorter if the test is cancelled.
    private func pause(_ time: Duration) async { try? await Task.sleep(for: time) }

    /// Kills all routers and has the claims end that they leave behind, as the next minute would; others take up what they
    /// had. By then dispatchers have long recorded what they were given, so that is waited for.
    private func endClaims(_ belfry: TestStack, of load: WaitingLoad) async throws {
      let routers = belfry.stack.services(.router)
      for router in routers { await router.kill() }
      try await dispatchersAreDone(belfry, load.people.map(\.id.uuid))
      _ = try await belfry.database.query("UPDATE held SET claimed_until = now() WHERE claimed_until > now()")
      _ = try await belfry.database.query("UPDATE rule_notices SET claimed_until = now() WHERE claimed_until > now()")
      // Of a schedule the claim is the next look, and one look more changes nothing; a send is claimed once it is released.
      _ = try await belfry.database.query(
        """
        UPDATE schedules SET next_at = now()
        WHERE owner = \(load.subject) AND next_at > now() AND (key IS NOT NULL OR released_at IS NOT NULL)
        """
      )
      for router in routers { try router.launch() }
      for router in routers { try await router.waitUntilReady() }
    }

    /// Waits until nothing has been recorded for a second: outcomes are written within a tenth of it.
    private func dispatchersAreDone(_ belfry: TestStack, _ users: [UUID]) async throws {
      var (count, since) = (-1, ContinuousClock.now)
      try await eventually("dispatchers have recorded what they were given") {
        let rows = try await belfry.database.query("SELECT count(*) FROM deliveries WHERE user_id = ANY (\(users))")
        let now = try rows.first?.get(0, as: Int.self) ?? 0
        if now != count { (count, since) = (now, ContinuousClock.now) }
        return ContinuousClock.now - since >= .seconds(1)
      }
    }
  }
}
