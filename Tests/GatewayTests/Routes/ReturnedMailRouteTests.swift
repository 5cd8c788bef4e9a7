import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import Gateway

/// `POST /api/v1/webhooks/bounces/mail`
@Suite struct ReturnedMailRouteTests {
  private static let path = "/api/v1/webhooks/bounces/mail"
  private static let returnPath = ReturnPath("bounces@b.example.com", secrets: [BounceSigner.returnSecret])

  private static func send(_ mail: String, as caller: Caller? = nil, to gateway: TestGateway) async throws -> Answer {
    let caller = if let caller { caller } else { try await Caller.service() }
    return try await gateway.call(
      .post,
      path,
      as: caller,
      headers: [.contentType: "message/rfc822"],
      body: mail.replacing("\n", with: "\r\n")
    )
  }

  /// What came of a mail: the one of the four counts that is not 0.
  private static func result(_ mail: String, _ gateway: TestGateway) async throws -> String {
    let json = try await send(mail, to: gateway).expect(.ok).json()
    #expect(Set(json.keys) == ["recorded", "ignored", "unmatched", "forged"])
    return json.filter { $0.value as? Int == 1 }.keys.sorted().joined(separator: " ")
  }

  private static func gateway(
    _ returnPath: ReturnPath? = returnPath,
    _ body: @escaping @Sendable (TestGateway) async throws -> Void
  ) async throws {
    let desk = try BounceSigner.shared.get().desk(returnPath: returnPath ?? .none)
    try await TestGateway.with(bounces: desk, body)
  }

  @Test func `a bounce to a signed address suppresses the mail's address, whomever else it names`() async throws {
    try await Self.gateway { gateway in
      let (user, id) = try await gateway.mail(to: "ann@example.net")
      let address = try #require(Self.returnPath?.address(for: user, id))
      let mail = ReturnedMails.bounce(to: address, of: "victim@example.org", messageID: "other@example.com")
      _ = try await gateway.mail(to: "victim@example.org")
      #expect(try await Self.result(mail, gateway) == "recorded")
      #expect(try await gateway.suppressed() == ["ann@example.net"])
    }
  }

  @Test func `where addresses are signed, nothing else is a proof`() async throws {
    try await Self.gateway { gateway in
      let (user, id) = try await gateway.mail(to: "ann@example.net")
      let address = try #require(Self.returnPath?.address(for: user, id))
      let changed = address.replacing("@", with: "A@").replacing("bounces+", with: "bounces+A")
      for forged in ["bounces@b.example.com", changed, "bounces+\(String(repeating: "A", count: 56))@b.example.com"] {
        #expect(
          try await Self.result(ReturnedMails.bounce(to: forged, messageID: "\(id)@example.com"), gateway) == "forged"
        )
        #expect(
          try await Self.result(ReturnedMails.complaint(to: forged, messageID: "\(id)@example.com"), gateway)
            == "forged"
        )
      }
      #expect(try await gateway.suppressed() == [])
    }
  }

  @Test func `without signed addresses the Message-ID finds the mail, if the recipient is its own`() async throws {
    try await Self.gateway(nil) { gateway in
      let (_, id) = try await gateway.mail(to: "Ann@example.net")
      // Of a week ago: what became of it is written down by now.
      let stranger = NotificationID(request: RequestID(now: .now - 7 * 86_400), recipient: UserID(UUID()))
      for mail in [
        ReturnedMails.bounce(of: "ben@example.net", messageID: "\(stranger)@example.com"),
        ReturnedMails.bounce(messageID: "somebody@else.example"), ReturnedMails.bounce(messageID: "x"),
      ] {
        #expect(try await Self.result(mail, gateway) == "unmatched")
      }
      #expect(try await gateway.suppressed() == [])
      // Some servers write it back in small letters.
      #expect(try await Self.result(ReturnedMails.bounce(messageID: "\(id)@example.com"), gateway) == "recorded")
      #expect(try await gateway.suppressed() == ["Ann@example.net"])
    }
  }

  /// Of SES and Postmark.
  @Test(arguments: [
    "0102018f0c1d2e3f-4a5b6c7d-8e9f-4a0b-8c1d-2e3f4a5b6c7d-000000", "883953f4-6105-42a2-a16a-77a8eac79483",
  ])
  func `a provider that replaced the Message-ID is followed by its own id`(_ id: String) async throws {
    try await Self.gateway(nil) { gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: id)
      let mail = ReturnedMails.bounce(messageID: "\(id)@mail.example.com")
      #expect(try await Self.result(mail, gateway) == "recorded")
      #expect(try await gateway.suppressed() == ["ann@example.net"])
    }
  }

  /// Of Postfix, also with long ids, and of Exim before and since 4.97.
  @Test(arguments: ["4F1B21C0", "4dQ8Zx1cKnzQ2Yw9b", "1t7Xy3-0004Qd-2K", "1t7Xy3-000000004Qd-2KaB"])
  func `an id of a queue, which could be guessed, finds no mail of whoever writes one into a Message-ID`(
    _ id: String
  ) async throws {
    try await Self.gateway(nil) { gateway in
      _ = try await gateway.mail(to: "ann@example.net", providerID: id)
      #expect(try await Self.result(ReturnedMails.bounce(messageID: "\(id)@example.com"), gateway) == "unmatched")
      #expect(try await gateway.suppressed() == [])
    }
  }

  @Test(arguments: ["4.4.7", "5.7.1", "5.3.4", "5.2.3", "5.1.8"])
  func `a failure that is not the address's suppresses nobody`(_ status: String) async throws {
    try await Self.gateway { gateway in
      let (user, id) = try await gateway.mail(to: "ann@example.net")
      let address = try #require(Self.returnPath?.address(for: user, id))
      let mail = ReturnedMails.bounce(
        to: address,
        status: status,
        diagnostic: "smtp; 550 \(status) no",
        messageID: "m@d"
      )
      #expect(try await Self.result(mail, gateway) == "ignored")
      #expect(try await gateway.suppressed() == [])
    }
  }

  @Test(arguments: [("5.2.2", "552 5.2.2 full"), ("5.0.0", "550 no")])
  func `a full mailbox, or a failure that nobody explains, suppresses when another mail comes back, not the same again`(
    _ status: String,
    _ words: String
  ) async throws {
    try await Self.gateway(nil) { gateway in
      let (user, id) = try await gateway.mail(to: "ann@example.net")
      let next = try await gateway.mail(to: "ann@example.net", of: user).notification
      func bounce(_ id: NotificationID) -> String {
        ReturnedMails.bounce(status: status, diagnostic: "smtp; \(words)", messageID: "\(id)@example.com")
      }
      for _ in 0..<2 { #expect(try await Self.result(bounce(id), gateway) == "recorded") }
      #expect(try await gateway.suppressed() == [])
      #expect(try await Self.result(bounce(next), gateway) == "recorded")
      #expect(try await gateway.suppressed() == ["ann@example.net"])
    }
  }

  @Test func `a suppression says where it comes from, in the server's words`() async throws {
    try await Self.gateway(nil) { gateway in
      let (user, id) = try await gateway.mail(to: "ann@example.net")
      #expect(try await Self.result(ReturnedMails.bounce(messageID: "\(id)@example.com"), gateway) == "recorded")
      let found = try await SuppressionStore(client: gateway.database).list(limit: 10).suppressions
      #expect(found.map(\.source) == ["dsn"] && found.map(\.user) == [user])
      #expect(found.map(\.diagnostic) == ["smtp; 550 5.1.1 no such user"])
    }
  }

  @Test func `a complaint is found by its return path although the recipient is cut`() async throws {
    try await Self.gateway { gateway in
      let (user, id) = try await gateway.mail(to: "ann@example.net")
      let address = try #require(Self.returnPath?.address(for: user, id))
      #expect(try await Self.result(ReturnedMails.complaint(to: address, messageID: "m@d"), gateway) == "recorded")
      #expect(try await gateway.suppressed(.complaint) == ["ann@example.net"])
      #expect(try await gateway.suppressed() == [])
      let notSpam = ReturnedMails.complaint(to: address, messageID: "m@d", type: "not-spam")
      #expect(try await Self.result(notSpam, gateway) == "ignored")
    }
  }

  @Test func `a bounce that is faster than our own books comes again`() async throws {
    try await Self.gateway { gateway in
      let (user, id) = try await gateway.mail(to: "ann@example.net", isRecorded: false)
      let address = try #require(Self.returnPath?.address(for: user, id))
      let answer = try await Self.send(ReturnedMails.bounce(to: address, messageID: "m@d"), to: gateway)
      try answer.expectProblem("unavailable", .serviceUnavailable)
      #expect(answer.headers[.retryAfter] == "60")
      // After two days it is about nobody who is known: erased since, perhaps.
      let old = NotificationID(request: RequestID(now: .now - 2 * 86_400), recipient: user)
      let late = try #require(Self.returnPath?.address(for: user, old))
      #expect(try await Self.result(ReturnedMails.bounce(to: late, messageID: "m@d"), gateway) == "unmatched")
    }
  }

  @Test func `an answer by a person does nothing, and no mail is refused`() async throws {
    try await Self.gateway { gateway in
      #expect(try await Self.result("From: ann@example.net\nSubject: Re\n\nThank you.", gateway) == "ignored")
      try await Self.send("no mail", to: gateway).expectProblem("malformed", .badRequest)
      let json = try await gateway.call(.post, Self.path, as: .service(), body: "{}")
      try json.expectProblem("unsupported-media-type", .unsupportedMediaType)
    }
  }

  @Test func `a bounce of 10 MiB is read, and a larger one refused in words, which comes again cut`() async throws {
    try await Self.gateway { gateway in
      let (user, id) = try await gateway.mail(to: "ann@example.net")
      let address = try #require(Self.returnPath?.address(for: user, id))
      let limit = 10 * 1_024 * 1_024
      let start = ReturnedMails.bounce(to: address, messageID: "m@d").replacing("--b--", with: "")
      let lines = String(repeating: String(repeating: "x", count: 76) + "\r\n", count: limit / 78)
      let mail = start.replacing("\n", with: "\r\n") + lines
      func post(_ bytes: Int) async throws -> Answer {
        let headers: HTTPFields = [.contentType: "message/rfc822"]
        let body = String(decoding: mail.utf8.prefix(bytes), as: UTF8.self)
        #expect(body.utf8.count == bytes)
        return try await gateway.call(.post, Self.path, as: .service(), headers: headers, body: body)
      }
      let refused = try await post(limit + 1)
      try refused.expectProblem("too-large", .contentTooLarge)
      #expect(refused.text.contains("10485760 bytes"))
      #expect(try await gateway.suppressed() == [])
      #expect(try await post(limit).expect(.ok).json()["recorded"] as? Int == 1)
      #expect(try await gateway.suppressed() == ["ann@example.net"])
    }
  }

  @Test func `a mail of 100 levels is refused in words`() async throws {
    try await Self.gateway { gateway in
      let levels = (0..<100).map { "Content-Type: multipart/mixed; boundary=\"n\($0)\"\n\n--n\($0)\n" }.joined()
      let answer = try await Self.send("From: a@b.example\n" + levels, to: gateway)
      try answer.expectProblem("malformed", .badRequest)
      #expect(answer.text.contains("more than 8 deep"))
    }
  }

  @Test func `a key of the scope bounces may hand mails in, and nothing else`() async throws {
    try await Self.gateway { gateway in
      let made = try await gateway.key([.bounces])
      let key = Caller(key: made.key, id: made.id)
      _ = try await Self.send("From: a@b.example\n\nHello", as: key, to: gateway).expect(.ok)
      try await gateway.call(.post, "/api/v1/notifications", as: key, body: "{}")
        .expectProblem("forbidden", .forbidden)
      let sender = try await gateway.key([.send])
      try await Self.send("From: a@b.example\n\nHello", as: Caller(key: sender.key, id: sender.id), to: gateway)
        .expectProblem("forbidden", .forbidden)
    }
  }
}
