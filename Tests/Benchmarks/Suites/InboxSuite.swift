import Foundation
import LocalStack
import NotificationModel
import Postgres

/// What an app asks of the gateway all day, by many users at once among a table of many notifications: list, count, mark, delete,
/// preferences, devices.
struct InboxSuite {
  let bench: Bench

  private static let own = 5_000
  private static let rate = 200
  /// Ten notifications of each are marked, ten of each are deleted.
  private static let readers = 2_000

  /// A request, and what its latency may be.
  private struct Act {
    let what: String
    let status: Int
    /// Milliseconds at ``rate``, 99th percentile.
    var budget: Double?
    /// Whether a request makes sense once only.
    var isUnique = false
    let requests: [[UInt8]]
  }

  func measure() async throws {
    let user = UserID(UUID())
    let inboxes = Inboxes(bench: bench)
    try await inboxes.fill(user, with: Self.own)
    // A table that has just been filled is vacuumed and written out while one measures; one in service is not.
    for statement in ["VACUUM ANALYZE", "CHECKPOINT"] {
      _ = try await bench.database.query("\(unescaped: statement)")
    }
    let port = bench.stack.services(.gateway)[0].port
    let readers = try await inboxes.readers(Self.readers * 2)
    guard readers.count >= 20 else { throw BenchError("too few readers: ask for more rows") }
    let token = try await bench.token(of: user)
    let acts = acts(token, readers, port: port)
    try await StatementPlans(bench: bench).show(acts.map { ($0.what, $0.requests[0], $0.status) })
    let limit = try await LoadGenerator(
      port: port,
      connections: bench.options.clients,
      requests: [LoadRequest.get("/health/live", port: port)],
      status: 200
    ).openLoop(rate: Self.rate, seconds: 3).latencies
    for act in acts { try await measure(act, limit, port: port) }
  }

  private func measure(_ act: Act, _ limit: Latencies, port: Int) async throws {
    func load(_ requests: ArraySlice<[UInt8]>) -> LoadGenerator {
      LoadGenerator(port: port, connections: bench.options.clients, requests: Array(requests), status: act.status)
    }
    // The first has been used for the plan.
    let fresh = act.requests.dropFirst(act.isUnique ? 1 : 0)
    let seconds = act.isUnique ? min(bench.options.seconds, fresh.count / 2 / Self.rate) : bench.options.seconds
    var rest = fresh
    if seconds > 0 {
      let steady = try await load(fresh).openLoop(rate: Self.rate, seconds: seconds).latencies
      for percent in [50.0, 99.0] {
        bench.add(
          Measurement(
            .inbox,
            "\(act.what) at \(Self.rate)/s, p\(Int(percent))",
            steady.percentile(percent),
            "ms",
            limit: ("GET /health/live", limit.percentile(percent)),
            budget: percent == 99 ? act.budget.map { .atMost($0) } : nil
          )
        )
      }
      if act.isUnique { rest = fresh.dropFirst(Self.rate * seconds) }
    }
    let busy = try await act.isUnique ? load(rest).closedLoop() : load(rest).closedLoop(seconds: seconds)
    let clients = "\(act.what), \(bench.options.clients) clients"
    bench.add(Measurement(.inbox, clients, busy.rate, "/s"))
    for percent in [50.0, 99.0] {
      bench.add(Measurement(.inbox, "\(clients), p\(Int(percent))", busy.latencies.percentile(percent), "ms"))
    }
  }

  // MARK: Requests

  private func acts(_ token: String, _ readers: [Inboxes.Reader], port: Int) -> [Act] {
    let path = "/api/v1/notifications"
    // What one half deletes, the other half only reads and marks.
    let (marking, deleting) = (readers.prefix(readers.count / 2), readers.suffix(readers.count - readers.count / 2))
    func get(_ path: String) -> [[UInt8]] {
      marking.map { LoadRequest.get(path, port: port, token: $0.token) }
    }
    func each(_ readers: ArraySlice<Inboxes.Reader>, _ method: String, _ part: String = "") -> [[UInt8]] {
      // A user's own acts do not come one right after the other.
      (0..<Inboxes.each).flatMap { index in
        readers.filter { index < $0.notifications.count }.map {
          LoadRequest.bare(method, "\(path)/\($0.notifications[index])\(part)", port: port, token: $0.token)
        }
      }
    }
    func put(_ path: String, _ json: (Int) -> String, method: String = "PUT") -> [[UInt8]] {
      marking.enumerated().map { number, reader in
        LoadRequest.post(path, port: port, token: reader.token, json: json(number), method: method)
      }
    }
    return [
      Act(
        what: "list of \(Self.own), first page",
        status: 200,
        budget: 5,
        requests: [LoadRequest.get("\(path)?page=1&pageSize=20", port: port, token: token)]
      ),
      Act(what: "list of \(Inboxes.each)", status: 200, budget: 5, requests: get("\(path)?page=1&pageSize=20")),
      Act(what: "unread count", status: 200, budget: 2, requests: get("\(path)/unread-count")),
      Act(what: "mark one as read", status: 200, isUnique: true, requests: each(marking, "PATCH", "/read")),
      Act(what: "delete one", status: 204, isUnique: true, requests: each(deleting, "DELETE")),
      Act(what: "preferences", status: 200, requests: get("\(path)/preferences")),
      Act(
        what: "change preferences",
        status: 200,
        requests: put("\(path)/preferences") { number in
          #"{"categories":[{"category":"Allowance","pushEnabled":\#(number.isMultiple(of: 2))}]}"#
        }
      ),
      Act(
        what: "register a device",
        status: 200,
        requests: put("/api/v1/devices", { #"{"token":"bench-\#($0):APA91b","platform":2}"# }, method: "POST")
      ),
    ]
  }
}
