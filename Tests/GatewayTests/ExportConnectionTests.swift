import Authentication
import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

/// An export over a connection: how a client sees that it is whole.
@Suite(.timeLimit(.minutes(1))) struct ExportConnectionTests {
  private func ask(_ port: Int, as user: Caller) async throws -> String {
    try await RawClient.with(port: port) { client in
      try await client.send("GET /api/v1/me/export HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n")
      try await client.send("Authorization: Bearer \(user.token)\r\n\r\n")
      return await client.untilClosed()
    }
  }

  @Test func `what fails in the middle ends the connection without the last chunk`() async throws {
    let ann = try await Caller.user()
    try await TestDatabase.withURL { url in
      try await TestDatabase.withClient(of: url) { client in
        // More than is handed on at once.
        _ = try await client.query(
          """
          INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at,
            expires_at)
          SELECT \(ann.id),
            (left(belfry_uuid_at(now())::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            gen_random_uuid(), 10, 'Title', repeat('body ', 50), 0, 0, 0, n, now(), now() + interval '1 day'
          FROM generate_series(1, 300) AS n
          """
        )
        try await RunningGateway.with(["BELFRY_DATABASE_URL": url]) { port, _ in
          let whole = try await ask(port, as: ann)
          #expect(whole.hasPrefix("HTTP/1.1 200 OK\r\n"))
          #expect(whole.hasSuffix(#","isComplete":true}"# + "\r\n0\r\n\r\n"))
          _ = try await client.query("DROP TABLE engagement")
          let cut = try await ask(port, as: ann)
          #expect(cut.hasPrefix("HTTP/1.1 200 OK\r\n") && cut.contains(#""title":"Title""#))
          #expect(!cut.contains("isComplete") && !cut.hasSuffix("\r\n0\r\n\r\n"))
        }
      }
    }
  }
}
