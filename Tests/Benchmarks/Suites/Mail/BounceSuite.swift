import BenchmarkComparison
import Foundation
import LocalStack
import NotificationModel
import NotificationStore
import Postgres

/// Bounces that come through the pipe: read, found in the delivery log, and suppressing their addresses, beside requests that do nothing.
struct BounceSuite {
  let bench: Bench

  /// Each bounces once: a second bounce of the same mail would find its address suppressed.
  private static let mails = 10_000

  func measure() async throws {
    let port = bench.stack.services(.gateway)[0].port
    let token = try await bench.serviceToken()
    let nothing = load([LoadRequest.get("/health/live", port: port)])
    let idle = try await nothing.closedLoop(seconds: bench.options.seconds).rate
    let bounces = try await recorded().map { notification, address in
      LoadRequest.post(
        "/api/v1/webhooks/bounces/mail",
        port: port,
        token: token,
        json: Self.bounce(of: address, messageID: "\(notification)@example.com"),
        type: "message/rfc822"
      )
    }
    let rate = try await load(bounces).closedLoop().rate
    bench.add(Measurement(.bounces, "bounces, each of 1.2 kB", rate, "/s", limit: ("GET /health/live", idle)))
    let counted = try await bench.database.query("SELECT count(*) FROM suppressions WHERE address LIKE 'bounce-%'")
    let suppressed = try counted.first?.get(0, as: Int.self) ?? 0
    guard suppressed == Self.mails else { throw BenchError("\(suppressed) addresses of \(Self.mails) are suppressed") }
    _ = try await bench.database.query("DELETE FROM suppressions WHERE address LIKE 'bounce-%'")
  }

  private func load(_ requests: [[UInt8]]) -> LoadGenerator {
    LoadGenerator(
      port: bench.stack.services(.gateway)[0].port,
      connections: bench.options.clients,
      requests: requests,
      status: 200
    )
  }

  /// Mails in the delivery log.
  private func recorded() async throws -> [(notification: NotificationID, address: String)] {
    let mails = (0..<Self.mails).map { number in
      let user = UserID(UUID())
      return (
        user: user, notification: NotificationID(request: RequestID(now: .now), recipient: user),
        address: "bounce-\(number)@example.net"
      )
    }
    let store = DeliveryStore(client: bench.database)
    for start in stride(from: 0, to: mails.count, by: 500) {
      try await store.record(
        mails[start..<min(start + 500, mails.count)].map { mail in
          DeliveryStore.Record(
            userID: mail.user,
            notificationID: mail.notification,
            channel: .email,
            target: mail.address,
            outcome: .delivered,
            providerID: "\(mail.notification)@example.com",
            attempts: 1
          )
        }
      )
    }
    return mails.map { ($0.notification, $0.address) }
  }

  private static func bounce(of recipient: String, messageID: String) -> String {
    """
    From: MAILER-DAEMON@mail.example.com (Mail Delivery System)
    Subject: Undelivered Mail Returned to Sender
    To: news@example.com
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="4F1B21C0.1795860000/mail.example.com"

    --4F1B21C0.1795860000/mail.example.com
    Content-Type: text/plain; charset=us-ascii

    This is the mail system at host mail.example.com.

    --4F1B21C0.1795860000/mail.example.com
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.com

    Final-Recipient: rfc822; \(recipient)
    Action: failed
    Status: 5.1.1
    Diagnostic-Code: smtp; 550 5.1.1 <\(recipient)>: Recipient address rejected: User unknown

    --4F1B21C0.1795860000/mail.example.com
    Content-Type: message/rfc822

    From: Belfry <news@example.com>
    To: \(recipient)
    Subject: Hello
    Message-ID: <\(messageID)>

    World

    --4F1B21C0.1795860000/mail.example.com--
    """
  }
}
