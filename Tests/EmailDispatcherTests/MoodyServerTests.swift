import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing
import Transport

@testable import EmailDispatcher

/// Mail servers that greylist, or do something wrong at a verb.
@Suite(.serialized, .timeLimit(.minutes(3))) struct MoodyServerTests {
  private struct Addresses: AddressBook {
    func record(_ evidence: [SuppressionEvidence]) async throws {}

    func objections(to mails: [SuppressionStore.WaitingMail]) async throws -> [SkipReason?] { mails.map { _ in nil } }
  }

  private func channel(_ client: SMTPClient) -> EmailChannel {
    EmailChannel(
      maximumAttempts: 3,
      concurrency: 1,
      longestDelivery: .seconds(2),
      composer: EmailComposer(sender: MIMEAddress(address: "news@example.com"), domain: "example.com"),
      mailServer: client,
      addresses: Addresses(),
      logger: .quiet
    )
  }

  private func targeted(_ number: Int) throws -> TargetedDelivery {
    try #require(Array(try MailMessage.to(["user-\(number)@example.com"]).targetedDeliveries).first)
  }

  @Test func `a greylisted mail waits for five minutes, and comes again as it was`() async throws {
    try await MoodyServer.with(["--greylist", "0.2"]) { server in
      let client = server.client()
      let channel = channel(client)
      let mail = try targeted(1)
      let first = await channel.deliver(mail)
      #expect(first == .retry(reason: "450 4.7.1", first: .seconds(10), after: .seconds(300)))
      try await eventually("the greylist lets it in") {
        if case .delivered = await channel.deliver(mail) { true } else { false }
      }
      #expect(try server.messages().map(\.messageID) == ["<\(mail.delivery.notificationId)@example.com>"])
      await client.close()
    }
  }

  /// What comes of a mail at which the server misbehaves so.
  private enum Fate { case again, refused, ours, delivered }

  private static let moods: [(mood: String, fate: Fate)] = [
    ("greeting:421", .again), ("greeting:554", .again), ("greeting:drop", .again), ("greeting:silence", .again),
    // Then it is greeted in the old way (RFC 5321, section 3.2). Behind the long line it has taken no greeting, and refuses MAIL with 503.
    ("ehlo:421", .delivered), ("ehlo:550", .delivered), ("ehlo:long", .ours), ("ehlo:drop", .again),
    ("ehlo:close", .again), ("ehlo:garbage", .again), ("ehlo:silence", .again),
    ("mail:421", .again), ("mail:451", .again), ("mail:550", .ours), ("mail:354", .again), ("mail:drop", .again),
    ("mail:close", .again), ("mail:garbage", .again),
    ("mail:long", .again), ("mail:silence", .again), ("rcpt:421", .again), ("rcpt:451", .again), ("rcpt:550", .refused),
    ("rcpt:354", .again), ("rcpt:drop", .again), ("rcpt:close", .again), ("rcpt:garbage", .again),
    ("rcpt:long", .again), ("rcpt:silence", .again), ("data:421", .again), ("data:451", .again),
    ("data:550", .refused), ("data:250", .again), ("data:drop", .again), ("data:close", .again),
    ("data:garbage", .again), ("data:long", .again), ("data:silence", .again), ("dot:421", .again), ("dot:451", .again),
    ("dot:550", .refused), ("dot:354", .again), ("dot:drop", .again), ("dot:close", .again), ("dot:garbage", .again),
    ("dot:long", .again), ("dot:silence", .again),
  ]

  @Test func `whatever a server does wrong at any verb, the mail has a fate, and the next one is delivered`()
    async throws
  {
    try await meet(Self.moods)
  }

  @Test func `a server that refuses EHLO and spoils HELO after it gets no mail, and none is lost`() async throws {
    let moods: [(what: String, fate: Fate)] = [
      ("421", .again), ("451", .again), ("550", .again), ("354", .again), ("garbage", .again), ("silence", .again),
      ("drop", .again), ("close", .again),
      // It has taken no greeting, although it says so, and refuses MAIL with 503.
      ("250", .ours), ("long", .ours),
    ]
    try await meet(moods.map { ("ehlo:550,helo:\($0.what)", $0.fate) })
  }

  /// What can go wrong before a connection takes mails: no answer, none that was asked for, no connection any more.
  private static func startingMoods(_ verb: String, _ codes: [String]) -> [(mood: String, fate: Fate)] {
    (codes + ["garbage", "long", "silence", "drop", "close"]).map { ("\(verb):\($0)", .again) }
  }

  @Test func `a server that spoils STARTTLS gets no mail unprotected, and none is lost`() async throws {
    let moods =
      Self.startingMoods("starttls", ["421", "451", "550", "250", "220", "inject"])
      // Without EHLO there is no STARTTLS: it is not greeted in the old way.
      + [("ehlo:421", .again), ("ehlo:550", .again)]
    try await meet(moods, isProtected: true)
  }

  @Test func `a server that spoils AUTH gets no mail without it, and none is lost`() async throws {
    try await meet(Self.startingMoods("auth", ["421", "454", "535", "550", "250", "334"]), hasLogin: true)
  }

  /// One mail for each mood, or moods one after the other, and then one more. What was delivered is there once; nothing else is.
  private func meet(
    _ moods: [(mood: String, fate: Fate)],
    isProtected: Bool = false,
    hasLogin: Bool = false
  ) async throws {
    let arguments = ["--moods", moods.map(\.mood).joined(separator: ",")]
    try await MoodyServer.with(arguments, isProtected: isProtected, hasLogin: hasLogin) { server in
      var met = 0
      for (number, (mood, fate)) in moods.enumerated() {
        // With a connection of its own: some moods are at its start.
        let client = server.client()
        let result = await channel(client).deliver(try targeted(number))
        switch (fate, result) {
        case (.again, .retry), (.again, .ofProvider(.retry)), (.delivered, .delivered): break
        case (.refused, .rejected(_, forgetsTarget: false, _, _)), (.ours, .deadLettered): break
        default: Issue.record("\(mood): \(result)")
        }
        met += mood.split(separator: ",").count
        #expect(try server.events().count { $0.event == "mood" } == met, "\(mood)")
        let isTaken = fate == .delivered || mood.hasPrefix("dot:")
        #expect(try server.messages(to: number).count == (isTaken ? 1 : 0), "\(mood)")
        await client.close()
      }
      let client = server.client()
      guard case .delivered = await channel(client).deliver(try targeted(moods.count)) else {
        Issue.record("a mail to a server that behaves is not delivered")
        return
      }
      #expect(try server.messages(to: moods.count).count == 1)
      await client.close()
    }
  }

  /// What a server says to RSET after it has refused a mail, and whether the next mail may use the connection.
  private static let resets: [(what: String?, isKept: Bool)] = [
    (nil, true), ("421", false), ("451", false), ("550", false), ("354", false),
    ("garbage", false), ("long", false), ("silence", false), ("drop", false), ("close", false),
  ]

  @Test
  func `a connection that is not tidied up after a refusal carries no other mail, and the next mail arrives once`()
    async throws
  {
    let moods = Self.resets.flatMap { ["rcpt:550"] + ($0.what.map { ["rset:\($0)"] } ?? []) + ["rcpt:usual"] }
    try await MoodyServer.with(["--moods", moods.joined(separator: ",")]) { server in
      for (number, (what, isKept)) in Self.resets.enumerated() {
        let mood = "rset:\(what ?? "in order")"
        let before = try server.connections()
        let client = server.client()
        let channel = channel(client)
        let refused = try targeted(2 * number)
        guard case .rejected = await channel.deliver(refused) else {
          Issue.record("\(mood): the mail before it is not refused")
          continue
        }
        let next = try targeted(2 * number + 1)
        // Behind a server that does not answer, a mail may have to come again.
        try await eventually("\(mood): the next mail is delivered") {
          if case .delivered = await channel.deliver(next) { true } else { false }
        }
        #expect(try server.messages(to: 2 * number).isEmpty, "\(mood)")
        #expect(try server.messages(to: 2 * number + 1).count == 1, "\(mood)")
        #expect(try server.connections() - before == (isKept ? 1 : 2), "\(mood)")
        await client.close()
      }
      #expect(try server.events().count { $0.event == "mood" } == moods.count)
    }
  }

  @Test func `whatever a server says to QUIT, nobody waits for it, and the mail before it has arrived once`()
    async throws
  {
    let moods = ["221", "250", "421", "451", "550", "garbage", "long", "silence", "drop", "close"]
    let arguments = ["--moods", moods.map { "quit:\($0)" }.joined(separator: ",")]
    try await MoodyServer.with(arguments) { server in
      for (number, mood) in moods.enumerated() {
        let client = server.client()
        let result = await channel(client).deliver(try targeted(number))
        if case .delivered = result {} else { Issue.record("before quit:\(mood): \(result)") }
        await client.close()
        try await eventually("the server is told at quit:\(mood)") {
          try server.events().count { $0.event == "mood" } == number + 1
        }
      }
      #expect(try server.messages().map(\.recipient) == moods.indices.map { "user-\($0)@example.com" })
    }
  }
}
