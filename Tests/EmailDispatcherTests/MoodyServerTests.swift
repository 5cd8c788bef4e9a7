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
  private enum Fate { case again, refused, ours }

  private static let moods: [(mood: String, fate: Fate)] = [
    ("greeting:421", .again), ("greeting:554", .again), ("greeting:drop", .again), ("greeting:silence", .again),
    ("ehlo:drop", .again), ("ehlo:garbage", .again), ("mail:421", .again), ("mail:451", .again), ("mail:550", .ours),
    ("mail:354", .again), ("mail:drop", .again), ("mail:close", .again), ("mail:garbage", .again),
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
    try await MoodyServer.with(["--moods", Self.moods.map(\.mood).joined(separator: ",")]) { server in
      for (number, (mood, fate)) in Self.moods.enumerated() {
        // With a connection of its own: some moods are at its start.
        let client = server.client()
        let result = await channel(client).deliver(try targeted(number))
        switch (fate, result) {
        case (.again, .retry), (.again, .ofProvider(.retry)): break
        case (.refused, .rejected(_, forgetsTarget: false, _, _)), (.ours, .deadLettered): break
        default: Issue.record("\(mood): \(result)")
        }
        #expect(try server.events().count { $0.event == "mood" } == number + 1, "\(mood)")
        await client.close()
      }
      let client = server.client()
      guard case .delivered = await channel(client).deliver(try targeted(Self.moods.count)) else {
        Issue.record("a mail to a server that behaves is not delivered")
        return
      }
      await client.close()
    }
  }
}
