import Foundation
import LocalStack
import NotificationModel

/// The router alone, for people who have set something, beside people who have set nothing.
///
/// Both are as many, with a device each, and get the same sends from a full queue: of a type that waits for the end of quiet
/// hours, about an entity that may be muted. The routers are the same, with the built-in catalogue and its rules. The ones
/// have quiet hours in forty zones, choices for type and category, mutes and pauses (``Population/settle(sending:in:)``), all
/// of which are read and evaluated, and none of which keeps the push from them; for the others, the catalogue decides. So each
/// run stores the same number of notifications and queues the same number of pushes, which is checked, and what differs is
/// what settings cost.
///
/// Measured in turns, because a machine's speed varies; each side counts as in its best round. In processor time of the
/// routers, as in ``RouterSuite``: what settings cost PostgreSQL stands in the table of processes.
struct SettingsSuite {
  let bench: Bench

  private static let rounds = 3
  /// On each side.
  private static let people = 40_000
  /// Of single sends. Few are met twice, as in ordinary traffic.
  private static let recipients = 15_000

  /// What the sends are about, in the lower case that mutes are kept in.
  static let entity = (type: "allowance", id: "weekly")
  /// Of ``SendSuite/type``.
  private static let category = "Allowance"
  private static let content =
    #"\#(SendSuite.content),"relatedEntityType":"\#(entity.type)","relatedEntityId":"\#(entity.id)""#

  func measure() async throws {
    let plain = try await people("plain")
    let settled = try await people("settled")
    try await settled.settle(sending: (SendSuite.type, Self.category), in: bench.database)
    try await feed.isolate()
    let sends = max(10_000, bench.options.seconds * 1_500)
    try await compare("single sends from a full queue", plain, settled, count: sends) { people in
      let bodies = people.sample.map { Array(#"{"to":{"users":["\#($0)"]},\#(Self.content)}"#.utf8) }
      try await feed.fill(sends) { bodies[$0 % bodies.count] }
    }
    try await compare("a group from a full queue", plain, settled, count: plain.count) { people in
      let body = Array(#"{"to":{"group":"\#(people.group)"},\#(Self.content)}"#.utf8)
      try await feed.fill(1) { _ in body }
    }
    try await feed.resume()
  }

  private var feed: RouterFeed { RouterFeed(bench: bench, suite: .settings) }

  private func people(_ name: String) async throws -> Population {
    let people = try await Population.make(
      Self.people,
      named: name,
      sampleSize: Self.recipients,
      in: bench.database
    )
    try await people.openInboxes(in: bench.database)
    return people
  }

  /// - Parameters:
  ///   - count: Notifications in each run.
  ///   - fill: Fills the routers' queue with sends to one of the two.
  private func compare(
    _ what: String,
    _ plain: Population,
    _ settled: Population,
    count: Int,
    _ fill: (Population) async throws -> Void
  ) async throws {
    var without: [RouterFigures] = []
    var with: [RouterFigures] = []
    for round in 1...Self.rounds {
      without.append(try await run("\(what), without settings", count) { try await fill(plain) })
      with.append(try await run("\(what), with settings", count) { try await fill(settled) })
      let rates = (with[round - 1].perCore, without[round - 1].perCore)
      Progress.say("  … \(what), round \(round): \(rates.0.figure)/s with settings, \(rates.1.figure)/s without")
    }
    guard let best = with.max(by: { $0.perCore < $1.perCore }),
      let limit = without.max(by: { $0.perCore < $1.perCore })
    else { throw BenchError("\(what): nothing was measured") }
    bench.add(limit.usage)
    bench.add(best.usage)
    bench.add(
      Measurement(
        .settings,
        "\(what), with settings: for a core's worth of router",
        best.perCore,
        "/s",
        limit: ("without settings", limit.perCore),
        budget: .shareAtLeast(0.9)
      )
    )
  }

  private func run(_ what: String, _ count: Int, _ fill: () async throws -> Void) async throws -> RouterFigures {
    try await fill()
    let before = try await bench.routerTally()
    let figures = try await feed.drain(count, what) { try await bench.stored() }
    try await feed.finish(count, since: before, what)
    return figures
  }
}
