import Foundation
import LocalStack
import NotificationModel

/// Reading the notification centre at the gateway: a user of 5,000 notifications among a table of many.
struct ListSuite {
  let bench: Bench

  private static let own = 5_000
  private static let rate = 200
  private static let connections = 8

  func measure() async throws {
    let user = UserID(UUID())
    try await Inboxes(bench: bench).fill(user, with: Self.own)
    let port = bench.stack.services(.gateway)[0].port
    let token = try await bench.token(of: user)
    func load(_ path: String) -> LoadGenerator {
      LoadGenerator(
        port: port,
        connections: Self.connections,
        requests: [LoadRequest.get(path, port: port, token: token)],
        status: 200
      )
    }
    let limit = try await load("/health/live").openLoop(rate: Self.rate, seconds: 3).latencies
    for (what, path, budget) in [
      ("list, first page", "/api/v1/notifications?page=1&pageSize=20", 5.0),
      ("unread count", "/api/v1/notifications/unread-count", 2.0),
    ] {
      let answers = try await load(path).openLoop(rate: Self.rate, seconds: bench.options.seconds)
      for percent in [50.0, 99.0] {
        bench.add(
          Measurement(
            .list,
            "\(what) at \(Self.rate)/s, p\(Int(percent))",
            answers.latencies.percentile(percent),
            "ms",
            limit: ("GET /health/live", limit.percentile(percent)),
            budget: percent == 99 ? .atMost(budget) : nil
          )
        )
      }
      let fastest = try await load(path).closedLoop(seconds: 3)
      bench.add(Measurement(.list, "\(what), \(Self.connections) clients", fastest.rate, "/s"))
    }
  }
}
