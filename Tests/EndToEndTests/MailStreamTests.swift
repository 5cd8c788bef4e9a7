import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

extension EndToEndTests {
  /// Bulk mails by their own queue, through all services.
  @Suite(.serialized, .timeLimit(.minutes(3))) struct MailStreamTests {
    private func header(_ name: String, of mail: [String: Any]) -> String? {
      let fields = mail["headers"] as? [[String: Any]] ?? []
      return fields.first { $0["name"] as? String == name }?["value"] as? String
    }

    @Test func `a mail that somebody waits for passes bulk mails that wait, and each stream has its own sender`()
      async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(email: true, platforms: [])
        var readers: [Person] = []
        for _ in 0..<10 {
          let reader = try await belfry.makeUser(platforms: [])
          readers.append(reader)
          let effect = #"{"kind":"latency","milliseconds":3000,"stage":"message"}"#
          try await belfry.fault(#"{"match":{"channel":"email","recipient":"\#(reader.email)"},"effect":\#(effect)}"#)
        }
        func arrived() async throws -> Int {
          var count = 0
          for reader in readers { count += try await belfry.mails(to: reader.email).count }
          return count
        }
        let users = readers.map { #""\#($0.id)""# }.joined(separator: ",")
        _ = try await belfry.send(#"{"to":{"users":[\#(users)]},"type":"WeeklyOffers","data":{"label":"7"}}"#).expect(
          202
        )
        try await eventually("bulk mails are on their way") { try await arrived() > 0 }
        _ = try await belfry.send(
          #"{"to":{"users":["\#(ann.id)"]},"type":10,"data":{"amount":"$1","balance":"$2"}}"#
        ).expect(202)
        try await eventually("the other mail has passed them") {
          try await !belfry.mails(to: ann.email).isEmpty
        }
        #expect(try await arrived() < readers.count)
        try await eventually("all bulk mails are through", within: .seconds(60)) {
          try await arrived() == readers.count
        }
        let offer = try #require(try await belfry.mails(to: readers[0].email).first)
        #expect(offer["from"] as? String == "returned@localhost" && offer["subject"] as? String == "Offers 7")
        #expect(header("From", of: offer)?.contains("offers@localhost") == true)
        let mail = try #require(try await belfry.mails(to: ann.email).first)
        #expect(mail["from"] as? String == "belfry@localhost")
        #expect(header("From", of: mail)?.contains("belfry@localhost") == true)
        try await eventually("nothing is in flight") { try await belfry.depth(of: "belfry.email.bulk") == 0 }
      }
    }
  }
}
