import Foundation
import LocalStack
import Transport

/// A daily schedule for a group, at each member's own time of day: through the gateway, as a backend puts it.
struct GroupSchedule {
  private let bench: Bench
  private let group: String
  private let zone: TimeZone
  private let token: String
  private let client = HTTPClient(configuration: HTTPClientConfiguration(), logger: .bench)

  /// - Parameter zone: All members'.
  init(_ bench: Bench, group: String, zone: String) async throws {
    guard let zone = TimeZone(identifier: zone) else { throw BenchError("the zone \(zone) is unknown here") }
    self.bench = bench
    self.group = group
    self.zone = zone
    token = try await bench.serviceToken()
  }

  /// Puts it, so that it comes a few seconds from now.
  ///
  /// - Returns: When it comes, as of ``WallTime``.
  func put() async throws -> Int64 {
    // Enough for a router's first look at it, which may be a second from now.
    let due = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 + 4).rounded(.up))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let clock = calendar.dateComponents([.hour, .minute, .second], from: due)
    let time = String(format: "%02d:%02d:%02d", clock.hour ?? 0, clock.minute ?? 0, clock.second ?? 0)
    let answer = try await send(
      "PUT",
      query: "?timezone=\(zone.identifier)",
      json: #"{"to":{"group":"\#(group)"},\#(SendSuite.content),"recurrence":"FREQ=DAILY","time":"\#(time)"}"#
    )
    guard answer.status == 201 else { throw unexpected(answer) }
    struct Schedule: Decodable { var next: [String] }
    let next = try JSONDecoder().decode(Schedule.self, from: Data(answer.body)).next.first
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let next, try format.parse(next) == due else {
      throw BenchError("the schedule comes at \(next ?? "no time") instead of \(due)")
    }
    return Int64(due.timeIntervalSince1970) * 1_000_000_000
  }

  func delete() async throws {
    let answer = try await send("DELETE", query: "", json: "")
    guard answer.status == 204 else { throw unexpected(answer) }
  }

  private func send(_ method: String, query: String, json: String) async throws -> HTTPResponse {
    try await client.send(
      HTTPRequest(
        method: method,
        url: "\(bench.stack.gatewayURL)/api/v1/schedules/bench\(query)",
        headers: [
          (name: "Content-Type", value: "application/json"), (name: "Authorization", value: "Bearer \(token)"),
        ],
        body: Array(json.utf8)
      )
    )
  }

  private func unexpected(_ answer: HTTPResponse) -> BenchError {
    BenchError("the gateway answered \(answer.status): \(String(decoding: answer.body, as: UTF8.self))")
  }
}
