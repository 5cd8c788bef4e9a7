import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import Postgres

/// The router alone, with events from a full queue: first such as no rule fires on, then such as one does each time, and
/// single sends of the same notification to the same people.
///
/// All are of the built-in rule `low-balance`, a crossing of the person's own threshold: for each event the router looks up the
/// person's settings, locks the rule's state of that person, evaluates, and stores the state with the new balance.
struct EventSuite {
  let bench: Bench

  private static let people = 10_000
  /// Events and sends of which a notification comes, two for each person.
  private static let noticed = 2 * people
  private static let event = "BalanceUpdated"
  private static let rule = "low-balance"
  /// Of the rule's notification.
  private static let content = #""type":"LowBalanceWarning","data":{"balance":"$5.00"}"#
  /// The default threshold is 10.
  private static let rich = 1_000

  func measure() async throws {
    let people = try await Population.make(
      Self.people,
      named: "events",
      sampleSize: Self.people,
      in: bench.database
    )
    try await people.openInboxes(in: bench.database)
    try await feed.isolate()
    let quiet = try await uneventful(people.sample)
    let singles = try await singles(people.sample)
    try await eventful(people.sample, quiet, singles)
    try await feed.resume()
  }

  private var feed: RouterFeed { RouterFeed(bench: bench, suite: .events) }

  /// Balances far above the threshold that grow, and do not say what they were: so each is compared with what the state has.
  private func uneventful(_ people: [UserID]) async throws -> RouterFigures {
    // Whole rounds: the last balances then show that every event was evaluated.
    let rounds = min(max(1, bench.options.seconds * 4_000 / people.count), Self.rich / 2)
    let count = rounds * people.count
    let what = "events of a rule that does not fire"
    let before = try await bench.routerTally()
    try await fill(count, people) { person, round in #""childId":"\#(person)","newBalance":\#(Self.rich + round)"# }
    let figures = try await feed.drain(count, what, every: .milliseconds(100)) { try await evaluated(above: Self.rich) }
    try await feed.finish(0, since: before, what)
    bench.add(figures.usage)
    bench.add(
      Measurement(
        .events,
        "\(what): for a core's worth of router",
        figures.perCore,
        "/s",
        budget: .atLeast(10_000)
      )
    )
    bench.add(Measurement(.events, "\(what): with everything on this machine", figures.perSecond, "/s"))
    return figures
  }

  private func singles(_ people: [UserID]) async throws -> RouterFigures {
    let what = "single sends of the same notification"
    let bodies = people.map { Array(#"{"to":{"users":["\#($0)"]},\#(Self.content)}"#.utf8) }
    let before = try await bench.routerTally()
    try await feed.fill(Self.noticed) { bodies[$0 % bodies.count] }
    let figures = try await feed.drain(Self.noticed, what) { try await bench.stored() }
    try await feed.finish(Self.noticed, since: before, what)
    return figures
  }

  /// Balances that say they have just fallen below the threshold. Each is evaluated, what the rule then remembers is stored, and its
  /// notice is routed as a send is: all of it counts.
  private func eventful(_ people: [UserID], _ quiet: RouterFigures, _ singles: RouterFigures) async throws {
    let what = "events of a rule that fires"
    let before = try await bench.routerTally()
    try await fill(Self.noticed, people) { person, round in
      #""childId":"\#(person)","newBalance":\#(round),"previousBalance":20"#
    }
    let figures = try await feed.drain(Self.noticed, what) { try await bench.stored() }
    try await feed.finish(Self.noticed, since: before, what)
    for usage in [singles.usage, figures.usage] { bench.add(usage) }
    let both = 1 / (1 / quiet.perCore + 1 / singles.perCore)
    bench.add(
      Measurement(
        .events,
        "single sends of the same notification: for a core's worth of router",
        singles.perCore,
        "/s"
      )
    )
    bench.add(
      Measurement(
        .events,
        "\(what), evaluated and routed: for a core's worth of router",
        figures.perCore,
        "/s",
        limit: ("one that does not fire and a single send", both)
      )
    )
    bench.add(Measurement(.events, "\(what): with everything on this machine", figures.perSecond, "/s"))
  }

  /// Fills the queue with events, to one person after the other; the next round is a little later, so that a person's events
  /// have an order.
  ///
  /// - Parameter payload: Members, by person and round; rounds count from 1.
  private func fill(
    _ count: Int,
    _ people: [UserID],
    _ payload: @escaping @Sendable (UserID, Int) -> String
  ) async throws {
    let start = Date.now
    @Sendable func round(_ number: Int) -> Int { 1 + number / people.count }
    try await feed.fill(count, with: .event) { number in
      start + 0.01 * Double(round(number))
    } _: { number in
      Array(#"{"name":"\#(Self.event)","payload":{\#(payload(people[number % people.count], round(number)))}}"#.utf8)
    }
  }

  /// Events that were evaluated: the sum of the rounds in which people are by what the rule remembers of them.
  ///
  /// - Parameter balance: What their balances are counted up from.
  private func evaluated(above balance: Int) async throws -> Int {
    let rows = try await bench.database.query(
      """
      SELECT coalesce(sum(value - \(balance)), 0)::int8
      FROM (
        SELECT (state::json #>> '{latest,3}')::int8 AS value FROM rule_states WHERE rule = \(Self.rule) OFFSET 0
      ) s
      WHERE value > \(balance) AND value < \(balance + Self.rich)
      """
    )
    guard let row = rows.first else { return 0 }
    return try row.get(0)
  }
}
