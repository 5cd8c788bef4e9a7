import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

/// The dispatcher as a whole, from its settings to what a mail server gets.
@Suite(.sharedBroker, .serialized, .timeLimit(.minutes(3))) struct WholeDispatcherTests {
  private func settings(_ server: MoodyServer, _ others: [String: String] = [:]) -> [String: String] {
    let needed = [
      "BELFRY_EMAIL_HOST": "127.0.0.1", "BELFRY_EMAIL_PORT": "\(server.port)", "BELFRY_EMAIL_SECURITY": "none",
      "BELFRY_EMAIL_FROM": "news@example.com",
    ]
    return needed.merging(others) { $1 }
  }

  // MARK: Nothing is set

  /// A reminder with buttons in apps, which lead nowhere.
  private func reminder() throws -> DispatchMessage {
    let type = try #require(try Catalogue().type(.code(120)))
    #expect(!type.actions.isEmpty)
    var content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_750_000_000),
      expiresAt: .now + 3_600
    )
    var own = content
    own.title = "Grüße aus Zürich 👋 – alles über Ihr Konto, und was sich ändert"
    own.body = """
      Erste Zeile = 漢字\(" ")
      .
      ..zwei
      \tEine lange Zeile, die ohne einen Umbruch über die Grenze von sechsundsiebzig Zeichen hinaus geht.
      Ende\(" ")
      """
    // As a router of the release before writes it.
    content.category = nil
    let request = RequestID(now: .now)
    let (zoe, ben) = (UserID(UUID()), UserID(UUID()))
    return DispatchMessage(
      recheck: false,
      contents: [own, content],
      deliveries: [
        .init(
          notificationId: NotificationID(request: request, recipient: zoe),
          userId: zoe,
          content: 0,
          badge: 1,
          targets: [.init(id: "zoe@example.net", address: "zoe@example.net", name: "Zoë Example")]
        ),
        .init(
          notificationId: NotificationID(request: request, recipient: ben),
          userId: ben,
          content: 1,
          badge: 1,
          targets: [.init(id: "ben@example.org", address: "ben@example.org")]
        ),
      ]
    )
  }

  /// Of the release before: by the Message-ID (FNV-1a).
  private func boundary(_ messageID: String) -> String {
    let hash = messageID.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "=_\(String(hash, radix: 16))"
  }

  /// What that release wrote of ``reminder()``, up to the HTML, which has another look now (docs/decisions/0106).
  private func beginning(_ fields: String, text: String, messageID: String) -> String {
    """
    Date: Sun, 15 Jun 2025 15:06:40 +0000
    From: "Belfry" <news@example.com>
    \(fields)
    Message-ID: <\(messageID)>
    MIME-Version: 1.0
    Auto-Submitted: auto-generated
    Content-Type: multipart/alternative;
     boundary="\(boundary(messageID))"

    --\(boundary(messageID))
    Content-Type: text/plain; charset=utf-8
    Content-Transfer-Encoding: quoted-printable

    \(text)

    --\(boundary(messageID))
    Content-Type: text/html; charset=utf-8
    Content-Transfer-Encoding: quoted-printable


    """.replacing("\n", with: "\r\n")
  }

  private func expect(_ event: MoodyServer.Event, _ beginning: String, messageID: String) throws {
    let content = try #require(event.content)
    #expect(event.sender == "news@example.com" && event.messageID == "<\(messageID)>")
    #expect(String(decoding: content.utf8.prefix(beginning.utf8.count), as: UTF8.self) == beginning)
    let html = String(decoding: content.utf8.dropFirst(beginning.utf8.count), as: UTF8.self)
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.contains("</html>"))
    #expect(html.hasSuffix("\r\n--\(boundary(messageID))--\r\n"))
    #expect(html.components(separatedBy: "--\(boundary(messageID))").count == 2, "two parts")
  }

  @Test func `who sets nothing new sends the mails of the release before, in the same session`() async throws {
    try await MoodyServer.with(["--transcript"], isProtected: true, hasLogin: true) { server in
      let message = try reminder()
      // That release has all of these.
      let settings = [
        "BELFRY_EMAIL_HOST": "127.0.0.1", "BELFRY_EMAIL_PORT": "\(server.port)",
        "BELFRY_EMAIL_CA_FILE": try #require(server.authority), "BELFRY_EMAIL_USERNAME": "belfry",
        "BELFRY_EMAIL_PASSWORD": "a password", "BELFRY_EMAIL_FROM": "news@example.com",
        "BELFRY_EMAIL_DOMAIN": "mail.example.com", "BELFRY_EMAIL_CONNECTIONS": "1",
      ]
      try await RunningDispatcher.with(settings, [(.email, message)]) { _ in
        try await eventually("both mails are there") { try server.messages().count == 2 }
      }
      let events = try server.events()
      // A goodbye is not waited for: the connection may be closed before the server has read it.
      #expect(
        events.compactMap(\.line).filter { $0 != "QUIT" } == [
          "EHLO mail.example.com", "STARTTLS", "EHLO mail.example.com", "AUTH", "MAIL FROM:<news@example.com>",
          "RCPT TO:<zoe@example.net>", "DATA", "MAIL FROM:<news@example.com>", "RCPT TO:<ben@example.org>", "DATA",
        ]
      )
      let logins = events.filter { $0.event == "login" }
      #expect(logins.map(\.user) == ["belfry"] && logins.map(\.password) == ["a password"])
      let mails = try server.messages()
      let ids = message.deliveries.map { "\($0.notificationId)@mail.example.com" }
      let zoe = beginning(
        """
        To: =?utf-8?B?Wm/DqyBFeGFtcGxl?= <zoe@example.net>
        Subject: =?utf-8?B?R3LDvMOfZSBhdXMgWsO8cmljaCDwn5GLIOKAkyBhbGxlcyDDvGJl?=
         =?utf-8?B?ciBJaHIgS29udG8sIHVuZCB3YXMgc2ljaCDDpG5kZXJ0?=
        """,
        text: """
          Erste Zeile =3D =E6=BC=A2=E5=AD=97=20
          .
          ..zwei
          \tEine lange Zeile, die ohne einen Umbruch =C3=BCber die Grenze von sechsund=
          siebzig Zeichen hinaus geht.
          Ende=20
          """,
        messageID: ids[0]
      )
      try expect(mails[0], zoe, messageID: ids[0])
      let ben = beginning(
        """
        To: ben@example.org
        Subject: Log Today's Transactions
        """,
        text: "Don't forget to log your transactions to stay on top of your budget",
        messageID: ids[1]
      )
      try expect(mails[1], ben, messageID: ids[1])
    }
  }

  // MARK: Streams

  @Test func `each stream has its own mail server, which gets the password that is set for it`() async throws {
    try await MoodyServer.with(["--transcript"], hasLogin: true) { server in
      try await MoodyServer.with(["--transcript"], hasLogin: true) { bulkServer in
        let settings = settings(
          server,
          [
            "BELFRY_EMAIL_USERNAME": "belfry", "BELFRY_EMAIL_PASSWORD": "a password",
            "BELFRY_EMAIL_BULK_HOST": "localhost", "BELFRY_EMAIL_BULK_PORT": "\(bulkServer.port)",
            "BELFRY_EMAIL_BULK_USERNAME": "offers", "BELFRY_EMAIL_BULK_PASSWORD": "another password",
          ]
        )
        let mail = try MailMessage.to(["ann@example.net"])
        var offer = try MailMessage.to(["ben@example.net"])
        offer.contents[0].mail = MailHandling(stream: .bulk)
        try await RunningDispatcher.with(settings, [(.emailBulk, offer), (.email, mail)]) { _ in
          try await eventually("both mails are there") {
            try !server.messages().isEmpty && !bulkServer.messages().isEmpty
          }
        }
        for (server, recipient, user, password) in [
          (server, "ann@example.net", "belfry", "a password"),
          (bulkServer, "ben@example.net", "offers", "another password"),
        ] {
          #expect(try server.messages().map(\.recipient) == [recipient])
          let logins = try server.events().filter { $0.event == "login" }
          #expect(logins.map(\.user) == [user] && logins.map(\.password) == [password])
        }
      }
    }
  }

  // MARK: Quotas

  @Test func `a domain gets no more mails a minute than are set, and others get theirs`() async throws {
    try await MoodyServer.with([]) { server in
      let settings = settings(server, ["BELFRY_EMAIL_DOMAIN_QUOTA_PER_MINUTE": "1"])
      let message = try MailMessage.to(["ann@a.example", "ben@a.example", "cay@a.example", "dan@b.example"])
      try await RunningDispatcher.with(settings, [(.email, message)]) { dispatcher in
        try await eventually("what is too much waits") { try await dispatcher.waiting(of: .email) > 0 }
        #expect(try server.messages().compactMap(\.recipient).sorted() == ["ann@a.example", "dan@b.example"])
      }
    }
  }

  @Test func `a mail server gets no more mails a minute than are set`() async throws {
    try await MoodyServer.with([]) { server in
      let perMinute = 3_000
      let settings = settings(server, ["BELFRY_EMAIL_QUOTA_PER_MINUTE": "\(perMinute)"])
      let messages = try (0..<4).map { part in
        (queue: WorkQueue.email, message: try MailMessage.to((0..<100).map { "user-\(part)-\($0)@example.net" }))
      }
      // It starts after this: on a slow machine more are allowed here than there.
      let start = ContinuousClock.now
      try await RunningDispatcher.with(settings, messages) { _ in
        var count = 0
        try await eventually("some mails are there") {
          count = try server.messages().count
          return count >= 20
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        // From a tenth it comes to all within a minute.
        let most = Double(perMinute) / 60 * (0.1 * seconds + 0.9 * seconds * seconds / 120) + 1
        #expect(Double(count) <= most, "after \(seconds) s")
      }
    }
  }
}
