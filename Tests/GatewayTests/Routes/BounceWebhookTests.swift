import Cryptography
import Foundation
import HTTPTypes
import LocalStack
import NotificationModel
import Synchronization
import TestSupport
import Testing
import WallClock

@testable import Gateway

/// `POST /api/v1/webhooks/bounces/{ses|postmark|sendgrid|mailgun}`
@Suite struct BounceWebhookTests {
  private let signer: BounceSigner

  init() throws {
    signer = try BounceSigner.shared.get()
  }

  private static func post(
    _ provider: String,
    _ body: String,
    headers: HTTPFields = [:],
    to gateway: TestGateway
  ) async throws -> Answer {
    try await gateway.call(.post, "/api/v1/webhooks/bounces/\(provider)", headers: headers, body: body)
  }

  /// The one of the four counts that is not 0.
  private static func result(_ answer: Answer) throws -> String {
    try answer.expect(.ok).json().filter { ($0.value as? Int ?? 0) > 0 }.keys.sorted().joined(separator: " ")
  }

  // MARK: SES

  private static func bounce(
    _ id: String,
    of address: String = "ann@example.net",
    type: String = "Permanent",
    subtype: String = "General",
    status: String = "5.1.1"
  ) -> String {
    """
    {"notificationType":"Bounce","bounce":{"bounceType":"\(type)","bounceSubType":"\(subtype)","bouncedRecipients":[\
    {"emailAddress":"\(address)","action":"failed","status":"\(status)","diagnosticCode":"smtp; 550 \(status) unknown"}]},\
    "mail":{"messageId":"\(id)","destination":["\(address)"]}}
    """
  }

  private static let sesID = "0102018f0c1d2e3f-4a5b6c7d-8e9f-4a0b-8c1d-2e3f4a5b6c7d-000000"

  @Test func `SES reports by a topic, whose certificate is fetched once`() async throws {
    let fetches = BounceSigner.Fetches()
    try await TestGateway.with(bounces: try signer.desk(fetches: fetches)) { [signer] gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
      _ = try await gateway.mail(to: "ben@example.net", providerID: "another-0102018f0c1d2e3f")
      let bounce = try signer.sns(Self.bounce(Self.sesID), at: .now)
      #expect(try Self.result(try await Self.post("ses", bounce, to: gateway)) == "recorded")
      #expect(try await gateway.suppressed() == ["ann@example.net"])
      #expect(try Self.result(try await Self.post("ses", bounce, to: gateway)) == "", "played again")
      // Mails of others in the same account.
      for other in [Self.bounce("unknown-id-of-others"), Self.bounce(Self.sesID, of: "ben@example.net")] {
        #expect(
          try Self.result(try await Self.post("ses", try signer.sns(other, at: .now), to: gateway)) == "unmatched"
        )
      }
      #expect(try await gateway.suppressed() == ["ann@example.net"])
      #expect(fetches.all == [BounceSigner.certificateURL])
    }
  }

  @Test(arguments: [
    ("Transient", "General", "4.4.7", "ignored"), ("Transient", "General", "5.0.0", "ignored"),
    ("Permanent", "General", "5.7.1", "ignored"), ("Undetermined", "Undetermined", "5.1.1", "ignored"),
  ])
  func `what SES does not call permanent, or is about us, suppresses nobody`(
    _ type: String,
    _ subtype: String,
    _ status: String,
    _ expected: String
  ) async throws {
    try await TestGateway.with(bounces: try signer.desk()) { [signer] gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
      let message = try signer.sns(Self.bounce(Self.sesID, type: type, subtype: subtype, status: status), at: .now)
      #expect(try Self.result(try await Self.post("ses", message, to: gateway)) == expected)
      #expect(try await gateway.suppressed() == [])
    }
  }

  /// Amazon's host answers calls of its interface with what the caller stored there.
  private static let noCertificates = [
    "?Action=GetEndpointAttributes&EndpointArn=a&X-Amz-Signature=b&x=.pem", "#SimpleNotificationService-0.pem",
    "SimpleNotificationService-0.pem?1.pem", "SimpleNotificationService-0.pem#1.pem", "SimpleNotificationService-.pem",
    "SimpleNotificationService-0/1.pem", "SimpleNotificationService-%30.pem", "SimpleNotificationService-g_.pem",
    "a/SimpleNotificationService-0.pem", "SimpleNotificationService-0.pem.pem",
    "SimpleNotificationService-\(String(repeating: "0", count: 65)).pem",
  ]

  @Test func `an answer that quotes a certificate is none, and one for another host signs nothing`() async throws {
    let answer = "<CustomUserData>\(signer.certificate)</CustomUserData>"
    for (page, isAnswer) in [(answer, true), (signer.foreignCertificate, false)] {
      try await TestGateway.with(bounces: try signer.desk(page: page)) { [signer] gateway in
        _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
        let posted = try await Self.post("ses", try signer.sns(Self.bounce(Self.sesID), at: .now), to: gateway)
        if isAnswer {
          try posted.expectProblem("unavailable", .serviceUnavailable)
        } else {
          try posted.expectProblem("unauthorized", .unauthorized)
        }
        #expect(try await gateway.suppressed() == [])
      }
    }
  }

  @Test func `a topic that is not set is refused before anything is fetched`() async throws {
    let fetches = BounceSigner.Fetches()
    try await TestGateway.with(bounces: try signer.desk(fetches: fetches)) { [signer] gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
      let message = Self.bounce(Self.sesID)
      let elsewhere = "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem"
      for forged in [
        try signer.sns(message, at: .now, topic: "arn:aws:sns:eu-west-1:210987654321:bounces"),
        try signer.sns(
          "",
          at: .now,
          type: "SubscriptionConfirmation",
          topic: "arn:aws:sns:eu-west-1:210987654321:bounces",
          subscribeURL: "https://\(BounceSigner.host)/?Action=ConfirmSubscription"
        ),
        // Another region's, somebody else's host, no TLS, another port.
        try signer.sns(message, at: .now, certificateURL: elsewhere),
        try signer.sns(message, at: .now, certificateURL: "https://\(BounceSigner.host).example.com/a.pem"),
        try signer.sns(message, at: .now, certificateURL: "https://\(BounceSigner.host)@example.com/a.pem"),
        try signer.sns(message, at: .now, certificateURL: "http://\(BounceSigner.host)/a.pem"),
        try signer.sns(message, at: .now, certificateURL: "https://\(BounceSigner.host):8443/a.pem"),
        try signer.sns(message, at: .now, certificateURL: "https://\(BounceSigner.host)/a.html"),
      ]
        + (try Self.noCertificates.map { path in
          try signer.sns(message, at: .now, certificateURL: "https://\(BounceSigner.host)/\(path)")
        })
      {
        try await Self.post("ses", forged, to: gateway).expectProblem("unauthorized", .unauthorized)
      }
      #expect(fetches.all == [])
      #expect(try await gateway.suppressed() == [])
    }
  }

  @Test func `a changed or late message of SES does nothing`() async throws {
    let now = Date.now
    try await TestGateway.with(bounces: try signer.desk(), clock: { now }) { [signer] gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
      let message = Self.bounce(Self.sesID)
      let stranger = try PrivateKey(.rsa)
      for forged in [
        try signer.sns("{}", at: now, changed: ["Message": message]),
        try signer.sns(message, at: now - 3_902), try signer.sns(message, at: now + 302),
        try signer.sns(message, at: now, version: "1"), try signer.sns(message, at: now, version: "3"),
        try signer.sns(message, at: now, changed: ["Signature": "AAAA"]),
        try signer.sns(message, at: now) { try stranger.derSignature(of: $0) },
      ] {
        try await Self.post("ses", forged, to: gateway).expectProblem("unauthorized", .unauthorized)
      }
      for unreadable in ["", "{", "[]", "\"a\""] {
        try await Self.post("ses", unreadable, to: gateway).expectProblem("malformed", .badRequest)
      }
      #expect(try await gateway.suppressed() == [])
    }
  }

  @Test(arguments: [3_000.0, 3_899])
  func `a report that is repeated after an outage is taken, though its time stays that of the first try`(
    _ age: TimeInterval
  ) async throws {
    let now = Date.now
    try await TestGateway.with(bounces: try signer.desk(), clock: { now }) { [signer] gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
      let (_, ben) = try await gateway.mail(to: "ben@example.net")
      let (_, cay) = try await gateway.mail(to: "cay@example.net")
      let ses = try signer.sns(Self.bounce(Self.sesID), at: now - age)
      #expect(try Self.result(try await Self.post("ses", ses, to: gateway)) == "recorded")
      let body = "[\(Self.event("\(ben)@example.com", of: "ben@example.net", at: now - age))]"
      let headers = try signer.sendgrid(body, at: now - age)
      #expect(try Self.result(try await Self.post("sendgrid", body, headers: headers, to: gateway)) == "recorded")
      let data = """
        {"event":"failed","severity":"permanent","reason":"bounce","recipient":"cay@example.net",\
        "message":{"headers":{"message-id":"\(cay)@example.com"}},\
        "delivery-status":{"code":550,"message":"5.1.1 unknown","enhanced-code":"5.1.1"}}
        """
      let mailgun = signer.mailgun(data, at: now - age)
      #expect(try Self.result(try await Self.post("mailgun", mailgun, to: gateway)) == "recorded")
      #expect(try await gateway.suppressed() == ["ann@example.net", "ben@example.net", "cay@example.net"])
      // Whoever plays them again is known.
      #expect(try Self.result(try await Self.post("ses", ses, to: gateway)) == "")
      #expect(try Self.result(try await Self.post("sendgrid", body, headers: headers, to: gateway)) == "")
      #expect(try Self.result(try await Self.post("mailgun", mailgun, to: gateway)) == "")
    }
  }

  @Test func `a provider's clock may be five minutes ahead of ours, and no more`() async throws {
    let now = Date.now
    try await TestGateway.with(bounces: try signer.desk(), clock: { now }) { [signer] gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
      let (_, ben) = try await gateway.mail(to: "ben@example.net")
      let (_, cay) = try await gateway.mail(to: "cay@example.net")
      let body = "[\(Self.event("\(ben)@example.com", of: "ben@example.net", at: now))]"
      let data = """
        {"event":"failed","severity":"permanent","reason":"bounce","recipient":"cay@example.net",\
        "message":{"headers":{"message-id":"\(cay)@example.com"}},\
        "delivery-status":{"code":550,"message":"5.1.1 unknown","enhanced-code":"5.1.1"}}
        """
      func answers(_ ahead: TimeInterval) async throws -> [Answer] {
        let time = now + ahead
        let headers = try signer.sendgrid(body, at: time)
        return [
          try await Self.post("ses", try signer.sns(Self.bounce(Self.sesID), at: time), to: gateway),
          try await Self.post("sendgrid", body, headers: headers, to: gateway),
          try await Self.post("mailgun", signer.mailgun(data, at: time), to: gateway),
        ]
      }
      for answer in try await answers(302) { try answer.expectProblem("unauthorized", .unauthorized) }
      #expect(try await gateway.suppressed() == [])
      for answer in try await answers(299) { #expect(try Self.result(answer) == "recorded") }
      #expect(try await gateway.suppressed() == ["ann@example.net", "ben@example.net", "cay@example.net"])
    }
  }

  @Test func `a report that is being taken is to come again, for the first may fail`() async throws {
    let start = ContinuousClock.now
    let desk = try signer.desk(limits: RateLimits(EdgeConfiguration(refusedRate: 2), now: { start }))
    try await TestGateway.with(bounces: desk) { [signer] gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
      let bounce = try signer.sns(Self.bounce(Self.sesID), at: .now, id: "one")
      #expect(desk.tokens.take("ses one", at: .now) == .first)
      // It is proven: however often it comes, it is no request without a valid token.
      for _ in 0..<8 {
        try await Self.post("ses", bounce, to: gateway).expectProblem("unavailable", .serviceUnavailable)
      }
      desk.tokens.giveBack("ses one")
      #expect(try Self.result(try await Self.post("ses", bounce, to: gateway)) == "recorded")
    }
  }

  /// A failure, as SendGrid reports it.
  private static func event(_ messageID: String, of address: String = "ann@example.net", at time: Date) -> String {
    """
    {"email":"\(address)","event":"bounce","status":"5.1.1","smtp-id":"<\(messageID)>",\
    "timestamp":\(Int(time.timeIntervalSince1970))}
    """
  }

  @Test func `a report that is faster than our own books comes again, and is no repetition then`() async throws {
    let now = Date.now
    try await TestGateway.with(bounces: try signer.desk(), clock: { now }) { [signer] gateway in
      func post(_ id: NotificationID, reported: Date) async throws -> Answer {
        let body = "[\(Self.event("\(id)@example.com", at: reported))]"
        let headers = try signer.sendgrid(body, at: now)
        return try await Self.post("sendgrid", body, headers: headers, to: gateway)
      }
      func id(_ age: TimeInterval) -> NotificationID {
        NotificationID(request: RequestID(now: now - age), recipient: UserID(UUID()))
      }
      // By our own id, before the outcome is written: the mail is new, or has waited and is reported just now.
      for (age, reported) in [(599.0, 300.0), (601, 59), (86_400, 0)] {
        let answer = try await post(id(age), reported: now - reported)
        try answer.expectProblem("unavailable", .serviceUnavailable)
      }
      #expect(try Self.result(try await post(id(601), reported: now - 62)) == "unmatched")
      // By the provider's, as long as the mail is new.
      func bounce(_ time: Date) -> String {
        Self.bounce(Self.sesID).replacing(#""mail":{"#, with: #""mail":{"timestamp":"\#(time.rfc3339)","#)
      }
      let new = try signer.sns(bounce(now), at: now)
      try await Self.post("ses", new, to: gateway).expectProblem("unavailable", .serviceUnavailable)
      let old = try signer.sns(bounce(now - 120), at: now)
      #expect(try Self.result(try await Self.post("ses", old, to: gateway)) == "unmatched")
      _ = try await gateway.mail(to: "ann@example.net", providerID: Self.sesID)
      #expect(try Self.result(try await Self.post("ses", new, to: gateway)) == "recorded")
    }
  }

  @Test func `what bounces just now of another program's mails is not waited for, and holds no other event up`()
    async throws
  {
    let now = Date.now
    try await TestGateway.with(bounces: try signer.desk(), clock: { now }) { [signer] gateway in
      let (_, ann) = try await gateway.mail(to: "ann@example.net")
      // Many programs write a UUID into a Message-ID, too, though one without a time.
      let foreign = ["0123456789.abcdef@other.example", "3f2b8c1a-9d4e-4f60-8a71-0123456789ab@other.example"]
      let body =
        "[\((foreign.map { Self.event($0, at: now) } + [Self.event("\(ann)@example.com", at: now)]).joined(separator: ","))]"
      let batch = try await Self.post("sendgrid", body, headers: try signer.sendgrid(body, at: now), to: gateway)
      #expect(try Self.result(batch) == "recorded unmatched")
      for id in foreign {
        let data = """
          {"event":"failed","severity":"permanent","reason":"bounce","recipient":"ann@example.net",\
          "timestamp":\(now.timeIntervalSince1970),"message":{"headers":{"message-id":"\(id)"}},\
          "delivery-status":{"code":550,"message":"5.1.1 unknown","enhanced-code":"5.1.1"}}
          """
        let answer = try await Self.post("mailgun", signer.mailgun(data, at: now), to: gateway)
        #expect(try Self.result(answer) == "unmatched")
      }
      let postmark = """
        {"RecordType":"Bounce","Type":"HardBounce","MessageID":"883953f4-6105-42a2-a16a-77a8eac79483",\
        "Email":"ann@example.net","Details":"smtp;550 5.1.1 unknown","BouncedAt":"\(now.rfc3339)"}
        """
      let answer = try await Self.post("postmark", postmark, headers: BounceSigner.postmark, to: gateway)
      #expect(try Self.result(answer) == "unmatched")
    }
  }

  @Test func `SHA-1, which topics sign with unless told otherwise, is verified too`() async throws {
    let key = signer.amazon
    let signed = try await TemporaryDirectory.with { directory in
      try key.pem.write(toFile: directory.file("key"), atomically: true, encoding: .utf8)
      let time = Date.now
      let content = Mutex<[UInt8]>([])
      _ = try signer.sns("{}", at: time, id: "sha1") { bytes in
        content.withLock { $0 = bytes }
        return []
      }
      try Data(content.withLock { $0 }).write(to: URL(filePath: directory.file("content")))
      try await LocalProcess.run(
        executable: "openssl",
        arguments: ["dgst", "-sha1", "-sign", "key", "-out", "signature", "content"],
        directory: directory.path
      )
      let signature = Array(try Data(contentsOf: URL(filePath: directory.file("signature"))))
      return try signer.sns("{}", at: time, id: "sha1", version: "1") { _ in signature }
    }
    try await TestGateway.with(bounces: try signer.desk()) { gateway in
      let response = try await Self.post("ses", signed, to: gateway)
      #expect(try Self.result(response) == "")
    }
  }

  @Test func `a subscription to a topic that is set is confirmed at Amazon, and nowhere else`() async throws {
    let fetches = BounceSigner.Fetches()
    let url = "https://\(BounceSigner.host)/?Action=ConfirmSubscription&TopicArn=\(BounceSigner.topic)&Token=token"
    try await TestGateway.with(bounces: try signer.desk(fetches: fetches)) { [signer] gateway in
      let elsewhere = try signer.sns(
        "",
        at: .now,
        type: "SubscriptionConfirmation",
        subscribeURL: "https://example.com/"
      )
      try await Self.post("ses", elsewhere, to: gateway).expectProblem("unauthorized", .unauthorized)
      let message = try signer.sns("", at: .now, type: "SubscriptionConfirmation", subscribeURL: url)
      _ = try await Self.post("ses", message, to: gateway).expect(.ok)
      #expect(fetches.all == [BounceSigner.certificateURL, url])
    }
  }

  @Test func `while Amazon does not answer, SES is to come again, and is not asked without end`() async throws {
    let fetches = BounceSigner.Fetches()
    let now = Date.now
    let desk = try signer.desk(fetches: fetches, failing: true)
    try await TestGateway.with(bounces: desk, clock: { now }) { [signer] gateway in
      for _ in 0..<12 {
        let answer = try await Self.post("ses", try signer.sns("{}", at: .now), to: gateway)
        try answer.expectProblem("unavailable", .serviceUnavailable)
      }
      #expect(fetches.all.count == 1, "one that is not to be had is not asked for again at once")
      for number in 0..<40 {
        let url = "https://\(BounceSigner.host)/SimpleNotificationService-\(number).pem"
        let answer = try await Self.post("ses", try signer.sns("{}", at: .now, certificateURL: url), to: gateway)
        try answer.expectProblem("unavailable", .serviceUnavailable)
      }
      #expect(fetches.all.count == 30)
    }
  }

  // MARK: The others

  @Test func `Postmark proves itself by user and password`() async throws {
    try await TestGateway.with(bounces: try signer.desk()) { gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: "883953f4-6105-42a2-a16a-77a8eac79483")
      func body(_ type: String, _ details: String) -> String {
        """
        {"RecordType":"Bounce","Type":"\(type)","TypeCode":1,"MessageID":"883953f4-6105-42a2-a16a-77a8eac79483",\
        "Email":"ann@example.net","Details":"\(details)"}
        """
      }
      let bounce = body("HardBounce", "smtp;550 5.1.1 unknown")
      let wrong: HTTPFields = [.authorization: "Basic \(Data("postmark:another password".utf8).base64EncodedString())"]
      for headers in [[:], wrong, [.authorization: "Bearer x"]] as [HTTPFields] {
        try await Self.post("postmark", bounce, headers: headers, to: gateway)
          .expectProblem("unauthorized", .unauthorized)
      }
      for (type, result) in [
        ("SoftBounce", "ignored"), ("AutoResponder", ""), ("Blocked", "ignored"), ("Unknown", ""),
      ] {
        let answer = try await Self.post("postmark", body(type, "x"), headers: BounceSigner.postmark, to: gateway)
        #expect(try Self.result(answer) == result)
      }
      #expect(try await gateway.suppressed() == [])
      let answer = try await Self.post("postmark", bounce, headers: BounceSigner.postmark, to: gateway)
      #expect(try Self.result(answer) == "recorded")
      #expect(try await gateway.suppressed() == ["ann@example.net"])
    }
  }

  @Test func `SendGrid signs timestamp and body, and names mails by our Message-ID`() async throws {
    try await TestGateway.with(bounces: try signer.desk()) { [signer] gateway in
      let (_, ann) = try await gateway.mail(to: "ann@example.net")
      let (_, ben) = try await gateway.mail(to: "ben@example.net")
      let body = """
        [{"email":"ann@example.net","event":"bounce","type":"bounce","status":"5.1.1","reason":"550 5.1.1 unknown",\
        "smtp-id":"<\(ann)@example.com>","sg_message_id":"a.filter.1"},\
        {"email":"ben@example.net","event":"bounce","type":"blocked","smtp-id":"<\(ben)@example.com>"},\
        {"email":"cay@example.net","event":"open"}]
        """
      let good = try signer.sendgrid(body, at: .now)
      var changed = good
      changed[.sendgridTimestamp] = String(Int(Date.now.timeIntervalSince1970) - 1)
      for headers in [
        [:], changed, try signer.sendgrid(body + " ", at: .now), try signer.sendgrid(body, at: .now - 3_902),
      ] {
        try await Self.post("sendgrid", body, headers: headers, to: gateway)
          .expectProblem("unauthorized", .unauthorized)
      }
      #expect(try await gateway.suppressed() == [])
      #expect(try Self.result(try await Self.post("sendgrid", body, headers: good, to: gateway)) == "ignored recorded")
      #expect(try await gateway.suppressed() == ["ann@example.net"])
      #expect(try Self.result(try await Self.post("sendgrid", body, headers: good, to: gateway)) == "", "played again")
    }
  }

  @Test func `one event with characters that nobody can keep does not lose the others`() async throws {
    try await TestGateway.with(bounces: try signer.desk()) { [signer] gateway in
      let (_, ann) = try await gateway.mail(to: "ann@example.net")
      let (_, ben) = try await gateway.mail(to: "ben@example.net")
      let (nul, half) = (#"\u0000"#, #"\ud83d"#)
      let body = """
        [{"email":"cay@example.net","event":"bounce","status":"5.1.1","smtp-id":"<a long id \(nul)@example.com>",\
        "sg_message_id":"another-id-\(nul)"},\
        {"email":"ann@example.net","event":"bounce","status":"5.1.1","reason":"550 \(nul)","smtp-id":"<\(ann)@example.com>"},\
        {"email":"ben@example.net","event":"bounce","status":"5.1.1","reason":"550 \(half)","smtp-id":"<\(ben)@example.com>"}]
        """
      let headers = try signer.sendgrid(body, at: .now)
      let answer = try await Self.post("sendgrid", body, headers: headers, to: gateway)
      #expect(try Self.result(answer) == "recorded unmatched")
      #expect(Set(try await gateway.suppressed()) == ["ann@example.net", "ben@example.net"])
    }
  }

  @Test func `Mailgun signs a token, which counts once`() async throws {
    try await TestGateway.with(bounces: try signer.desk()) { [signer] gateway in
      let (_, id) = try await gateway.mail(to: "ann@example.net")
      func data(_ severity: String) -> String {
        """
        {"event":"failed","severity":"\(severity)","reason":"bounce","recipient":"ann@example.net",\
        "message":{"headers":{"message-id":"\(id)@example.com"}},\
        "delivery-status":{"code":550,"message":"5.1.1 unknown","enhanced-code":"5.1.1"}}
        """
      }
      for forged in [
        signer.mailgun(data("permanent"), at: .now, key: "another key of Mailgun"),
        signer.mailgun(data("permanent"), at: .now - 3_902),
        signer.mailgun(data("permanent"), at: .now, token: "short"),
        #"{"event-data":\#(data("permanent"))}"#,
      ] {
        try await Self.post("mailgun", forged, to: gateway).expectProblem("unauthorized", .unauthorized)
      }
      let temporary = signer.mailgun(data("temporary"), at: .now)
      #expect(try Self.result(try await Self.post("mailgun", temporary, to: gateway)) == "ignored")
      #expect(try await gateway.suppressed() == [])
      let token = UUID().uuidString
      let unreadable = signer.mailgun("{}", at: .now, token: token)
      try await Self.post("mailgun", unreadable, to: gateway).expectProblem("malformed", .badRequest)
      // What could not be taken does not use the token up.
      let permanent = signer.mailgun(data("permanent"), at: .now, token: token)
      #expect(try Self.result(try await Self.post("mailgun", permanent, to: gateway)) == "recorded")
      #expect(try Self.result(try await Self.post("mailgun", permanent, to: gateway)) == "", "played again")
      #expect(try await gateway.suppressed() == ["ann@example.net"])
    }
  }

  @Test func `two mails that Mailgun failed to deliver for now suppress nobody, though their code is 5.0.0`()
    async throws
  {
    try await TestGateway.with(bounces: try signer.desk()) { [signer] gateway in
      let (user, first) = try await gateway.mail(to: "ann@example.net")
      let second = try await gateway.mail(to: "ann@example.net", of: user).notification
      for id in [first, second] {
        let data = """
          {"event":"failed","severity":"temporary","reason":"generic","recipient":"ann@example.net",\
          "message":{"headers":{"message-id":"\(id)@example.com"}},\
          "delivery-status":{"code":550,"message":"not now","enhanced-code":"5.0.0"}}
          """
        let answer = try await Self.post("mailgun", signer.mailgun(data, at: .now), to: gateway)
        #expect(try Self.result(answer) == "ignored")
      }
      #expect(try await gateway.suppressed() == [])
    }
  }

  @Test(arguments: ["ses", "postmark", "sendgrid", "mailgun"])
  func `where a provider is not set, there is nothing`(_ provider: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      try await Self.post(provider, "{}", to: gateway).expectProblem("not-found", .notFound)
    }
  }

  @Test func `what is too large is not read`() async throws {
    try await TestGateway.with(bounces: try signer.desk()) { gateway in
      let large = String(repeating: " ", count: BounceController.maximumWebhook + 1)
      for provider in ["ses", "postmark", "sendgrid", "mailgun"] {
        try await Self.post(provider, large, to: gateway).expectProblem("too-large", .contentTooLarge)
      }
    }
  }

  @Test func `what is not proven is taken only so fast from one address, and what is proven counts not at all`()
    async throws
  {
    let start = ContinuousClock.now
    let limits = RateLimits(EdgeConfiguration(refusedRate: 2), now: { start })
    try await TestGateway.with(bounces: try signer.desk(limits: limits)) { [signer] gateway in
      for _ in 0..<6 {
        _ = try await Self.post("ses", try signer.sns("{}", at: .now), to: gateway).expect(.ok)
      }
      let forged = try signer.sns("{}", at: .now, changed: ["Message": "{ }"])
      for _ in 0..<4 {
        try await Self.post("ses", forged, to: gateway).expectProblem("unauthorized", .unauthorized)
      }
      let refused = try await Self.post("ses", forged, to: gateway)
      try refused.expectProblem("too-many-requests", .tooManyRequests)
    }
  }
}
