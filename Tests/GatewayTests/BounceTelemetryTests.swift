import Foundation
import HTTPTypes
import MetricsTestKit
import NotificationModel
import NotificationStore
import Testing

@testable import Gateway

/// `belfry_mail_reports`: what reports came to, by who reported.
@Suite struct BounceTelemetryTests {
  private let metrics = TestMetrics()
  private let signer: BounceSigner

  init() throws {
    signer = try BounceSigner.shared.get()
  }

  /// Of a source, without what was not counted, in the alphabet's order: `forged 1, recorded 2`.
  private func counts(_ source: BounceSource) -> String {
    let counters = metrics.counters.filter { counter in
      counter.label == "belfry_mail_reports" && counter.totalValue > 0
        && counter.dimensions.contains { $0.0 == "source" && $0.1 == source.rawValue }
    }
    let lines = counters.map { counter in
      "\(counter.dimensions.first { $0.0 == "result" }?.1 ?? "?") \(counter.totalValue)"
    }
    return lines.sorted().joined(separator: ", ")
  }

  private func desk(_ returnPath: ReturnPath = .none) throws -> BounceDesk {
    try signer.desk(returnPath: returnPath, telemetry: BounceTelemetry(factory: metrics))
  }

  private func post(
    _ source: BounceSource,
    _ body: String,
    headers: HTTPFields = [:],
    to gateway: TestGateway,
    _ status: HTTPResponse.Status = .ok
  ) async throws {
    let path = "/api/v1/webhooks/bounces/\(source.rawValue)"
    let caller = source == .mail ? try await Caller.service() : nil
    var headers = headers
    if source == .mail { headers[.contentType] = "message/rfc822" }
    _ = try await gateway.call(.post, path, as: caller, headers: headers, body: body).expect(status)
  }

  private static let sesID = "0102018f0c1d2e3f-4a5b6c7d-8e9f-4a0b-8c1d-2e3f4a5b6c7d-000000"

  @Test func `of SES each message is counted by what came of it`() async throws {
    try await TestGateway.with(bounces: try desk()) { gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
      func bounce(_ id: String, _ status: String = "5.1.1") -> String {
        """
        {"notificationType":"Bounce","bounce":{"bounceType":"Permanent","bounceSubType":"General","bouncedRecipients":[\
        {"emailAddress":"ann@example.net","status":"\(status)","diagnosticCode":"smtp; 550 \(status) unknown"}]},\
        "mail":{"messageId":"\(id)","destination":["ann@example.net"]}}
        """
      }
      let good = try signer.sns(bounce(Self.sesID), at: .now)
      for _ in 0..<2 { try await post(.ses, good, to: gateway) }
      try await post(.ses, try signer.sns(bounce("unknown-id-of-others"), at: .now), to: gateway)
      try await post(.ses, try signer.sns(bounce(Self.sesID, "5.7.1"), at: .now), to: gateway)
      let changed = try signer.sns("{}", at: .now, changed: ["Message": bounce(Self.sesID)])
      try await post(.ses, changed, to: gateway, .unauthorized)
      try await post(.ses, try signer.sns("{}", at: .now - 7_200), to: gateway, .unauthorized)
      try await post(.ses, "{", to: gateway, .badRequest)
      #expect(counts(.ses) == "forged 2, ignored 1, recorded 1, repeated 1, unmatched 1, unreadable 1")
      for other in BounceSource.allCases where other != .ses { #expect(counts(other).isEmpty) }
    }
  }

  @Test func `of Postmark each bounce is counted by what came of it`() async throws {
    try await TestGateway.with(bounces: try desk()) { gateway in
      let id = "883953f4-6105-42a2-a16a-77a8eac79483"
      _ = try await gateway.mail(to: "ann@example.net", providerID: id)
      func body(_ type: String, _ id: String) -> String {
        #"{"RecordType":"Bounce","Type":"\#(type)","MessageID":"\#(id)","Email":"ann@example.net","Details":"smtp;550 5.1.1 no"}"#
      }
      try await post(.postmark, body("HardBounce", id), to: gateway, .unauthorized)
      #expect(counts(.postmark) == "forged 1")
      for text in [body("HardBounce", id), body("HardBounce", "unknown-id-of-others"), body("SoftBounce", id)] {
        try await post(.postmark, text, headers: BounceSigner.postmark, to: gateway)
      }
      try await post(.postmark, "{", headers: BounceSigner.postmark, to: gateway, .badRequest)
      #expect(counts(.postmark) == "forged 1, ignored 1, recorded 1, unmatched 1, unreadable 1")
    }
  }

  @Test func `of SendGrid each event is counted by what came of it`() async throws {
    try await TestGateway.with(bounces: try desk()) { gateway in
      let (_, ann) = try await gateway.mail(to: "ann@example.net")
      let (_, ben) = try await gateway.mail(to: "ben@example.net")
      let events = [
        #"{"email":"ann@example.net","event":"bounce","status":"5.1.1","smtp-id":"<\#(ann)@example.com>"}"#,
        #"{"email":"ben@example.net","event":"bounce","status":"5.1.1","smtp-id":"<\#(ben)@example.com>"}"#,
        #"{"email":"ben@example.net","event":"bounce","type":"blocked","smtp-id":"<\#(ben)@example.com>"}"#,
        #"{"email":"cay@example.net","event":"bounce","status":"5.1.1","smtp-id":"<unknown-id-of-others@example.org>"}"#,
        #"{"email":"cay@example.net","event":"open"}"#,
      ]
      let body = "[\(events.joined(separator: ","))]"
      let headers = try signer.sendgrid(body, at: .now)
      for _ in 0..<3 { try await post(.sendgrid, body, headers: headers, to: gateway) }
      try await post(.sendgrid, body + " ", headers: headers, to: gateway, .unauthorized)
      try await post(.sendgrid, "{", headers: try signer.sendgrid("{", at: .now), to: gateway, .badRequest)
      #expect(counts(.sendgrid) == "forged 1, ignored 1, recorded 2, repeated 2, unmatched 1, unreadable 1")
    }
  }

  @Test func `of Mailgun each report is counted by what came of it`() async throws {
    try await TestGateway.with(bounces: try desk()) { gateway in
      let (_, ann) = try await gateway.mail(to: "ann@example.net")
      func data(_ severity: String, _ id: String) -> String {
        """
        {"event":"failed","severity":"\(severity)","reason":"bounce","recipient":"ann@example.net",\
        "message":{"headers":{"message-id":"\(id)"}},"delivery-status":{"code":550,"message":"unknown","enhanced-code":"5.1.1"}}
        """
      }
      let permanent = data("permanent", "\(ann)@example.com")
      let good = signer.mailgun(permanent, at: .now)
      for _ in 0..<2 { try await post(.mailgun, good, to: gateway) }
      for data in [data("temporary", "\(ann)@example.com"), data("permanent", "unknown-id-of-others@example.org")] {
        try await post(.mailgun, signer.mailgun(data, at: .now), to: gateway)
      }
      let forged = signer.mailgun(permanent, at: .now, key: "another key of Mailgun")
      try await post(.mailgun, forged, to: gateway, .unauthorized)
      for unreadable in ["{", signer.mailgun("{}", at: .now)] {
        try await post(.mailgun, unreadable, to: gateway, .badRequest)
      }
      #expect(counts(.mailgun) == "forged 1, ignored 1, recorded 1, repeated 1, unmatched 1, unreadable 2")
    }
  }

  @Test func `of mails that come back each is counted by what came of it, and what is to come again not yet`()
    async throws
  {
    let path = try #require(ReturnPath("bounces@b.example.com", secrets: [BounceSigner.returnSecret]))
    try await TestGateway.with(bounces: try desk(path)) { gateway in
      let (user, id) = try await gateway.mail(to: "ann@example.net")
      func mail(_ id: NotificationID, status: String = "5.1.1") throws -> String {
        let address = try #require(path.address(for: user, id))
        let diagnostic = "smtp; 550 \(status) no"
        return ReturnedMails.bounce(to: address, status: status, diagnostic: diagnostic, messageID: "m@d")
          .replacing("\n", with: "\r\n")
      }
      try await post(
        .mail,
        try mail(NotificationID(request: RequestID(now: .now), recipient: user)),
        to: gateway,
        .serviceUnavailable
      )
      #expect(counts(.mail).isEmpty)
      for _ in 0..<2 { try await post(.mail, try mail(id), to: gateway) }
      let old = NotificationID(request: RequestID(now: .now - 2 * 86_400), recipient: user)
      try await post(.mail, try mail(old), to: gateway)
      try await post(.mail, try mail(id, status: "5.7.1"), to: gateway)
      try await post(.mail, "From: ann@example.net\r\nSubject: Re\r\n\r\nThank you.", to: gateway)
      let forged = ReturnedMails.bounce(to: "bounces@b.example.com", messageID: "\(id)@example.com")
      for _ in 0..<3 { try await post(.mail, forged.replacing("\n", with: "\r\n"), to: gateway) }
      try await post(.mail, "no mail", to: gateway, .badRequest)
      #expect(counts(.mail) == "forged 3, ignored 2, recorded 2, unmatched 1, unreadable 1")
    }
  }
}
