import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  @Suite(.serialized) struct ProviderFailureTests {
    @Test func `an unregistered token deactivates the device and is recorded`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [.iOS, .android])
        try await belfry.fault(#"{"match":{"token":"\#(ann.devices[0])"},"effect":{"kind":"unregistered"}}"#)
        _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":12}"#).expect(202)
        try await eventually("the device is inactive") {
          let devices = try await belfry.database.query(
            "SELECT deactivation_reason FROM devices WHERE token = \(ann.devices[0]) AND NOT active"
          )
          return try devices.first?.get(0) == "UNREGISTERED"
        }
        try await eventually("both outcomes are recorded") {
          let rows = try await belfry.database.query(
            "SELECT outcome FROM deliveries WHERE user_id = \(ann.id.uuid) ORDER BY outcome"
          )
          return try rows.map { try $0.get(0, as: Int.self) } == [1, 2]
        }
      }
    }

    @Test(arguments: [
      #"{"kind":"unavailable"}"#, #"{"kind":"internal"}"#, #"{"kind":"reset"}"#, #"{"kind":"disconnect"}"#,
      #"{"kind":"quota","retryAfter":1,"scope":"device"}"#, #"{"kind":"unavailable","retryAfter":1}"#,
      #"{"kind":"unauthenticated"}"#,
    ])
    func `a push that fails for now is tried again until it arrives, once`(effect: String) async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        try await belfry.fault(#"{"match":{"token":"\#(ann.devices[0])"},"effect":\#(effect),"times":2}"#)
        _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":12}"#).expect(202)
        try await eventually("it arrived") {
          try await belfry.pushes(to: ann.devices[0]).count == 1
        }
        try await eventually("the outcome is recorded") {
          let rows = try await belfry.database.query("SELECT outcome FROM deliveries WHERE user_id = \(ann.id.uuid)")
          return try rows.first?.get(0) == 1
        }
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        #expect(try await belfry.pushes(to: ann.devices[0]).count == 1)
      }
    }

    @Test func `a mailbox that does not exist is suppressed, and the next mail is skipped with its reason`()
      async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(email: true, platforms: [])
        let body = #"{"to":{"users":["\#(ann.id)"]},"type":10,"data":{"amount":"$1","balance":"$2"}}"#
        try await belfry.fault(
          #"{"match":{"recipient":"\#(ann.email)"},"effect":{"kind":"smtp","smtpCode":550,"enhancedCode":"5.1.1"}}"#
        )
        _ = try await belfry.send(body).expect(202)
        try await eventually("the address is suppressed") {
          try await belfry.database.query("SELECT reason FROM suppressions WHERE user_id = \(ann.id.uuid)").first?.get(
            0
          )
            == 1
        }
        let answer = try await belfry.send(body).expect(202)
        let id = try #require(RequestID(answer.json["requestId"] as? String ?? ""))
        try await eventually("the second was routed") {
          let rows = try await belfry.database.query("SELECT email FROM notifications WHERE request_id = \(id.uuid)")
          return try rows.first?.get(0) == SkipReason.emailSuppressed.rawValue
        }
      }
    }

    @Test func `a mail that is refused for now arrives later, with the same message id`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(email: true, platforms: [])
        let fault = #""effect":{"kind":"smtp","smtpCode":451,"enhancedCode":"4.3.0"},"times":2"#
        try await belfry.fault(#"{"match":{"recipient":"\#(ann.email)"},\#(fault)}"#)
        let answer = try await belfry.send(
          #"{"to":{"users":["\#(ann.id)"]},"type":10,"data":{"amount":"$1","balance":"$2"}}"#
        ).expect(202)
        let request = try #require(RequestID(answer.json["requestId"] as? String ?? ""))
        try await eventually("the mail arrived") {
          try await belfry.mails(to: ann.email).count == 1
        }
        let id = NotificationID(request: request, recipient: ann.id).description
        #expect((try await belfry.mails(to: ann.email).first?["messageId"] as? String)?.contains(id) == true)
      }
    }

    @Test func `a push that never works is dead-lettered, listed, shown and redriven`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        try await belfry.fault(#"{"match":{"token":"\#(ann.devices[0])"},"effect":{"kind":"internal"}}"#)
        _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":12}"#).expect(202)
        try await eventually("it is given up", within: .seconds(40)) {
          try await belfry.database.query("SELECT outcome FROM deliveries WHERE user_id = \(ann.id.uuid)").first?.get(0)
            == DeliveryOutcome.exhausted.rawValue
        }
        let list = try await belfry.belfry(["dead", "list"])
        #expect(list.status == 0)
        #expect(list.output.contains("INTERNAL"))
        _ = try await belfry.simulator("DELETE", "/api/faults").expect(204)
        #expect(try await belfry.belfry(["dead", "redrive", "push", "--all"]).status == 0)
        try await eventually("it arrived after all") { try await belfry.pushes(to: ann.devices[0]).count == 1 }
        try await eventually("the outcome is corrected") {
          try await belfry.database.query("SELECT outcome FROM deliveries WHERE user_id = \(ann.id.uuid)").first?.get(0)
            == 1
        }
      }
    }
  }
}
