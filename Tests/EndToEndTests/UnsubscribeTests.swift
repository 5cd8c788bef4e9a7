import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  /// The links in mails by which people unsubscribe, from the catalogue to the mailbox and back.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct UnsubscribeTests {
    @Test func `one click in a mailbox stops the mails of one category, until it is taken back`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(email: true, platforms: [])
        try await offer("1", to: ann, belfry)
        try await eventually("the mail arrived") { try await subjects(ann, belfry) == ["Offer 1"] }
        let mail = try #require(try await belfry.mails(to: ann.email).first)
        #expect(header("List-Unsubscribe-Post", of: mail) == "List-Unsubscribe=One-Click")
        #expect(header("List-Id", of: mail)?.hasPrefix(#""Offers & News" <offers-news-"#) == true)
        let link = try #require(header("List-Unsubscribe", of: mail))
        let start = "<\(TestStack.publicURL)/unsubscribe/"
        try #require(link.hasPrefix(start) && link.hasSuffix(">"))
        let path = "/unsubscribe/\(link.dropFirst(start.count).dropLast())"

        // A scanner of links looks, and nothing happens.
        let page = try await belfry.call("GET", path).expect(200)
        #expect(page.text.contains("Unsubscribe from “Offers &amp; News”?"))
        try await offer("2", to: ann, belfry)
        try await eventually("it goes on") { try await subjects(ann, belfry) == ["Offer 1", "Offer 2"] }

        _ = try await post("List-Unsubscribe=One-Click", path, belfry).expect(200)
        try await offer("3", to: ann, belfry)
        _ = try await belfry.send(
          #"{"to":{"users":["\#(ann.id)"]},"type":10,"data":{"amount":"$1.00","balance":"$2.00"}}"#
        ).expect(202)
        try await eventually("others arrive") { try await subjects(ann, belfry).last == "Allowance Received!" }
        try await eventually("all are in the inbox") { try await belfry.inbox(of: ann).count == 4 }
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        #expect(try await subjects(ann, belfry) == ["Offer 1", "Offer 2", "Allowance Received!"])
        let other = try #require(
          try await belfry.mails(to: ann.email).first { $0["subject"] as? String == "Allowance Received!" }
        )
        #expect(header("List-Unsubscribe", of: other) == nil && header("List-Id", of: other) == nil)

        _ = try await post("take-back=yes", path, belfry).expect(200)
        try await offer("4", to: ann, belfry)
        try await eventually("they come again") { try await subjects(ann, belfry).last == "Offer 4" }
      }
    }

    private func offer(_ label: String, to ann: Person, _ belfry: TestStack) async throws {
      _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":915,"data":{"label":"\#(label)"}}"#).expect(202)
    }

    /// As a mailbox sends it: without a token.
    private func post(_ form: String, _ path: String, _ belfry: TestStack) async throws -> Answer {
      Answer(
        try await belfry.http.send(
          HTTPRequest(
            method: "POST",
            url: belfry.stack.gatewayURL + path,
            headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")],
            body: Array(form.utf8)
          )
        )
      )
    }

    /// Of the mails that have come, in their order.
    private func subjects(_ ann: Person, _ belfry: TestStack) async throws -> [String] {
      try await belfry.mails(to: ann.email)
        .sorted { ($0["sequence"] as? Int ?? 0) < ($1["sequence"] as? Int ?? 0) }
        .compactMap { $0["subject"] as? String }
    }

    private func header(_ name: String, of mail: [String: Any]) -> String? {
      (mail["headers"] as? [[String: String]])?.first { $0["name"] == name }?["value"]
    }
  }
}
