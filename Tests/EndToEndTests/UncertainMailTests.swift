import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

extension EndToEndTests {
  /// A mail server that takes a mail and does not answer until the dispatcher stops.
  @Suite(.serialized) struct UncertainMailTests {
    private func outcome(_ belfry: TestStack, of person: Person) async throws -> Int? {
      let rows = try await belfry.database.query(
        "SELECT outcome FROM deliveries WHERE user_id = \(person.id.uuid) AND channel = 3"
      )
      return try rows.first?.get(0)
    }

    @Test func `a mail without an answer at the stop is uncertain, and sent once more with the same Message-ID`()
      async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(email: true, platforms: [])
        for process in belfry.stack.services(.email) { await process.terminate() }
        let stopping = belfry.stack.extra(
          .email,
          name: "email-that-stops",
          port: try FreePort.find(),
          variables: ["BELFRY_SERVICE_SHUTDOWN_DEADLINE": "4s", "BELFRY_EMAIL_TIMEOUT": "2s"]
        )
        do {
          try stopping.launch()
          try await stopping.waitUntilReady()
          try await belfry.fault(
            #"{"match":{"recipient":"\#(ann.email)"},"effect":{"kind":"hang","stage":"message","accepts":true},"times":1}"#
          )
          _ = try await belfry.send(
            #"{"to":{"users":["\#(ann.id)"]},"type":10,"data":{"amount":"$1","balance":"$2"}}"#
          ).expect(202)
          try await eventually("the mail server has it") { try await belfry.mails(to: ann.email).count == 1 }
          #expect(try await outcome(belfry, of: ann) == nil)
          #expect(await stopping.terminate() == 0)
        } catch {
          await stopping.kill()
          throw error
        }
        #expect(try await outcome(belfry, of: ann) == Int(DeliveryOutcome.uncertain.rawValue))
        let found = try await belfry.belfry(["find", "--outcome", "uncertain", "--user", "\(ann.id)"])
        #expect(found.status == 0 && found.output.contains("no answer to the final dot"), "\(found.output)")
        for process in belfry.stack.services(.email) {
          try process.launch()
          try await process.waitUntilReady()
        }
        try await eventually("it is delivered after all") { try await outcome(belfry, of: ann) == 1 }
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        let mails = try await belfry.mails(to: ann.email)
        #expect(mails.count == 2)
        #expect(Set(mails.compactMap { $0["messageId"] as? String }).count == 1)
      }
    }
  }
}
