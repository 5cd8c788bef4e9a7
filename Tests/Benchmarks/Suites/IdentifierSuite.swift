import BenchmarkComparison
import Broker
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import UserIdentity

/// Single sends to people whose ids are UUIDs, and to as many whose ids are other texts, in turns: the router alone from a full
/// queue, then the gateway.
struct IdentifierSuite {
  let bench: Bench

  private static let people = 500
  private static let rounds = 3
  private static let budget = Measurement.Budget.shareAtLeast(0.95)

  /// What people are called in the measured sends.
  private enum Form: String, CaseIterable {
    case uuids = "UUIDs"
    case texts
  }

  func measure() async throws {
    let named = try await Population.make(
      Self.people,
      named: "identifiers",
      sampleSize: Self.people,
      in: bench.database
    )
    let texts = (1...Self.people).compactMap { UserIdentifier("shop|customer-\($0)") }
    try await Population.make(texts, in: bench.database)
    let ids: [Form: [String]] = [.uuids: named.sample.map(\.description), .texts: texts.map(\.description)]
    try await feed.isolate()
    var routed: [Form: [Double]] = [:]
    for round in 1...Self.rounds {
      for form in Form.allCases {
        routed[form, default: []].append(try await route(ids[form] ?? [], "\(form.rawValue), round \(round)"))
      }
    }
    try await feed.resume()
    try add("router: single sends for a core's worth", routed)
    var accepted: [Form: [Double]] = [:]
    for _ in 1...Self.rounds {
      for form in Form.allCases { accepted[form, default: []].append(try await accept(ids[form] ?? [])) }
    }
    try add("gateway: single sends for a core's worth", accepted)
  }

  private var feed: RouterFeed { RouterFeed(bench: bench, suite: .identifiers) }

  /// Sends for a core's worth of router.
  private func route(_ ids: [String], _ what: String) async throws -> Double {
    let count = bench.options.seconds * 4_000
    let bodies = ids.map { Array(#"{"to":{"users":["\#($0)"]},\#(SendSuite.content)}"#.utf8) }
    let before = try await bench.routerTally()
    try await feed.fill(count) { bodies[$0 % bodies.count] }
    let figures = try await feed.drain(count, what) { try await bench.stored() }
    try await feed.finish(count, since: before, what)
    return figures.perCore
  }

  /// Sends for a core's worth of gateway.
  private func accept(_ ids: [String]) async throws -> Double {
    let token = try await bench.serviceToken()
    let port = bench.stack.services(.gateway)[0].port
    let load = LoadGenerator(
      port: port,
      connections: bench.options.clients,
      requests: ids.map { id in
        LoadRequest.post(
          "/api/v1/notifications",
          port: port,
          token: token,
          json: #"{"to":{"users":["\#(id)"]},\#(SendSuite.content)}"#
        )
      },
      status: 202
    )
    let before = ProcessSample.take()
    let answers = try await load.closedLoop(seconds: bench.options.seconds)
    let usage = UsageReport(
      .identifiers,
      "accepted",
      notifications: answers.count,
      wallSeconds: Double(bench.options.seconds),
      from: before,
      to: ProcessSample.take()
    )
    // The next round finds nothing of this one on its way.
    try await Patience.wait(for: "an empty queue", within: .seconds(60), every: .milliseconds(100)) {
      try await bench.admin.depth(of: Topology.ingestQueue) == 0
    }
    guard let gateway = usage.entry("belfry-gateway"), gateway.microsecondsEach > 0 else {
      throw BenchError("the gateway took no processor time")
    }
    return 1_000_000 / gateway.microsecondsEach
  }

  private func add(_ what: String, _ figures: [Form: [Double]]) throws {
    guard let limit = FigureComparison.median(figures[.uuids] ?? []),
      let texts = FigureComparison.median(figures[.texts] ?? [])
    else { throw BenchError("\(what): nothing was measured") }
    bench.add(Measurement(.identifiers, "\(what), to UUIDs", limit, "/s"))
    bench.add(
      Measurement(
        .identifiers,
        "\(what), to texts",
        texts,
        "/s",
        limit: ("to UUIDs", limit),
        budget: Self.budget
      )
    )
  }
}
