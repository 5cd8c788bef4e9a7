import Authentication
import Foundation
import NotificationModel
import TestSupport
import Testing

/// A gateway on a machine whose clock is wrong.
@Suite(.timeLimit(.minutes(1))) struct GatewayClockTests {
  private func ask(_ port: Int, _ request: String) async throws -> String {
    try await RawClient.with(port: port) { client in
      try await client.send(request)
      return await client.untilClosed()
    }
  }

  private func readiness(_ port: Int) async throws -> String {
    try await ask(port, "GET /health/ready HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
  }

  @Test(arguments: [400, -400] as [TimeInterval])
  func `more than five minutes off it is not ready, and what it takes is dated by the database`(_ seconds: TimeInterval)
    async throws
  {
    try await TestDatabase.withURL { url in
      try await RunningGateway.with(["BELFRY_DATABASE_URL": url], clock: { .now + seconds }) { port, health in
        try await eventually("it is not ready for its clock") { try await readiness(health).contains("clock") }
        let sendAt = (Date.now + 3_600).ISO8601Format()
        let body = #"{"to":{"users":["\#(UserID(UUID()))"]},"type":12,"sendAt":"\#(sendAt)"}"#
        let token = try await Caller.service().token
        let answer = try await ask(
          port,
          "POST /api/v1/notifications HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n"
            + "Authorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let text = try #require(answer.firstMatch(of: #/"requestId":"([^"]+)"/#), "\(answer)").1
        let time = try #require(RequestID(String(text))?.time)
        #expect(abs(time.timeIntervalSinceNow) < 60)
      }
    }
  }
}
