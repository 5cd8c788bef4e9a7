import Authentication
import BelfrySender
import Foundation
import LocalStack
import Synchronization
import TestSupport
import Testing

extension EndToEndTests {
  /// `BelfrySender` against the running stack.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct SenderTests {
    /// Asks the gateway, and loses its first answers, as a line does that is cut just then.
    private final class LosingTransport: SenderTransport {
      private let transport = URLSessionSenderTransport()
      private let left: Mutex<Int>
      private let answers = Mutex<[Int]>([])

      init(_ count: Int) {
        left = Mutex(count)
      }

      /// Statuses that the gateway answered, lost or not.
      var statuses: [Int] { answers.withLock { $0 } }

      func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await transport.send(request)
        answers.withLock { $0.append(response.status) }
        let isLost = left.withLock { left in
          left -= 1
          return left >= 0
        }
        if isLost { throw TransportError("cut", isTransient: true) }
        return response
      }
    }

    /// Short pauses; the stack is on this machine.
    private static let retries = RetryPolicy(firstPause: .milliseconds(10))

    private func sender(
      _ belfry: TestStack,
      subject: String = "tests",
      transport: any SenderTransport = URLSessionSenderTransport()
    ) async throws -> BelfrySender {
      let token = try await belfry.serviceToken(subject: subject)
      let gateway = try #require(URL(string: belfry.stack.gatewayURL))
      return try BelfrySender(
        gateway: gateway,
        credential: .token { _ in token },
        retries: Self.retries,
        transport: transport
      )
    }

    private func titles(of person: Person, _ belfry: TestStack) async throws -> [String] {
      try await belfry.call("GET", "/api/v1/notifications", token: person.token).expect(200).list("notifications")
        .compactMap { $0["title"] as? String }
    }

    @Test func `a send arrives as it was built, and its status says so`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let sender = try await sender(belfry)
        let request = SendRequest(to: .user("\(ann.id)"), type: "SystemAnnouncement")
          .title("Grüße 🎉").body("One\nTwo").data(["amount": "$5.00", "count": 3, "isLarge": true])
          .about("Transaction", id: "t/1").collapsing("hello").expiring(at: Date(timeIntervalSinceNow: 3_600))
        let accepted = try await sender.send(request)
        #expect(!accepted.isScheduled)
        try await eventually("it is in the inbox") { try await titles(of: ann, belfry) == ["Grüße 🎉"] }
        let list = try await belfry.call("GET", "/api/v1/notifications", token: ann.token).list("notifications")
        let notification = try #require(list.first)
        #expect(notification["body"] as? String == "One\nTwo")
        #expect(notification["relatedEntityId"] as? String == "t/1")
        let data = try #require(notification["dataObject"] as? [String: Any])
        #expect(data["count"] as? Int == 3)
        #expect(data["isLarge"] as? Bool == true)
        try await eventually("the push is delivered") {
          try await sender.status(of: accepted.requestID)?.channels["push"]?.delivered == 1
        }
        #expect(try await sender.status(of: UUID()) == nil)
      }
    }

    @Test func `a send whose answer is lost is sent once`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let transport = LosingTransport(2)
        let sender = try await sender(belfry, transport: transport)
        let accepted = try await sender.send(SendRequest(to: .user("\(ann.id)"), type: 99).title("Once").body("Once"))
        #expect(transport.statuses == [202, 202, 202])
        try await eventually("it is in the inbox") { try await !titles(of: ann, belfry).isEmpty }
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        #expect(try await titles(of: ann, belfry) == ["Once"])
        #expect(try await belfry.pushes(to: ann.devices[0]).count == 1)
        #expect(try await sender.status(of: accepted.requestID)?.recipients == 1)
      }
    }

    @Test func `a bulk call whose answer is lost is sent once, without what is wrong in it`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let sender = try await sender(belfry, transport: LosingTransport(1))
        let to = Audience.user("\(ann.id)")
        let results = try await sender.send([
          SendRequest(to: to, type: 99).title("First").body("B"), SendRequest(to: .group(""), type: 99),
          SendRequest(to: to, type: "NoSuchType"), SendRequest(to: to, type: 99).title("Second").body("B"),
        ])
        #expect(results.map { $0.accepted != nil } == [true, false, false, true])
        guard case .invalid(let errors) = results[2] else { throw SenderTestFailure() }
        #expect(errors.map(\.field) == ["type"])
        try await eventually("both are in the inbox") { try await titles(of: ann, belfry).count >= 2 }
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        #expect(Set(try await titles(of: ann, belfry)) == ["First", "Second"])
        #expect(try await titles(of: ann, belfry).count == 2)
      }
    }

    @Test func `a problem names the field that only the gateway knows to be wrong`() async throws {
      try await TestStack.with { belfry in
        let sender = try await sender(belfry)
        do {
          try await sender.send(SendRequest(to: .user("ann"), type: "AllowanceDeposit").data(["amount": "$5.00"]))
          throw SenderTestFailure()
        } catch let error as SenderError {
          #expect(error.code == .refused)
          #expect(error.problem?.kind == .validation)
          #expect(error.fields.map(\.field) == ["data.balance"])
          #expect(error.problem?.requestID != nil)
        }
      }
    }

    @Test func `an event's payload arrives, and a rule refuses one that it cannot evaluate by its field`() async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let hub = try await HubClient.connect(.pysignalr, to: belfry, as: ann, count: 100)
        let sender = try await sender(belfry, transport: LosingTransport(1))
        let payload = ["transactionId": "t-1", "childId": "\(ann.id)", "description": "日本 🎉"]
        try await sender.report(EventReport("TransactionCreated", payload: payload).relayed(to: .users(["\(ann.id)"])))
        try await eventually("the connection has it") {
          try hub.invocations().contains { $0.target == "TransactionCreated" }
        }
        do {
          try await sender.report(EventReport("MeterRead", payload: ["userId": "\(ann.id)"]))
          throw SenderTestFailure()
        } catch let error as SenderError {
          #expect(error.fields.allSatisfy { $0.field.hasPrefix("payload.") } && !error.fields.isEmpty)
        }
      }
    }

    @Test func `schedules are put, read, listed and ended, also if answers are lost`() async throws {
      try await TestStack.with { belfry in
        let subject = "sender-\(UUID().uuidString)"
        let sender = try await sender(belfry, subject: subject)
        let to = Audience.group("family:\(UUID().uuidString)")
        let weekly = ScheduleDefinition(
          to: to,
          type: "SystemAnnouncement",
          .recurring(.weekly(on: [.monday]), at: "19:00", timezone: "Europe/Berlin", lateness: .seconds(3_600))
        ).title("Bins").body("The bins go out tonight, {{date|date}}")
        let losing = try await self.sender(belfry, subject: subject, transport: LosingTransport(1))
        let stored = try await losing.put(weekly, as: "bins/1", if: .absent)
        #expect(stored.next.count == 5)
        #expect(stored.recurrence == .weekly(on: [.monday]))
        let due = ScheduleTime.reminders(of: "2099-11-30", at: "09:00", [.before(days: 3), .before(days: 0)])
        try await sender.put(ScheduleDefinition(to: to, type: 99, due).title("Rent").body("Rent"), as: "rent")
        let template = ScheduleDefinition(to: to, template: "daily-log-reminder")
        try await sender.put(template, as: "template")
        let once = ScheduleTime.once(Date(timeIntervalSinceNow: 86_400), expiresAt: Date(timeIntervalSinceNow: 90_000))
        try await sender.put(ScheduleDefinition(to: to, type: 99, once).title("Once").body("Once"), as: "once")

        let first = try await sender.schedules(count: 3)
        #expect(first.schedules.map(\.key) == ["bins/1", "once", "rent"])
        #expect(first.hasMore)
        let last = try await sender.schedules(after: "rent")
        #expect(last.schedules.map(\.key) == ["template"])
        #expect(!last.hasMore)
        #expect(try await sender.schedule("bins/1")?.version == stored.version)
        #expect(try await sender.schedule("no such") == nil)

        let version = try #require(stored.version)
        try await sender.put(weekly.title("Paper"), as: "bins/1", if: .version(version))
        do {
          try await sender.put(weekly.title("Glass"), as: "bins/1", if: .version(version))
          throw SenderTestFailure()
        } catch let error as SenderError {
          #expect(error.problem?.kind == .preconditionFailed)
        }
        let other = try await self.sender(belfry, subject: subject, transport: LosingTransport(1))
        #expect(try await other.cancelSchedule("bins/1"))
        #expect(try await !sender.cancelSchedule("bins/1"))
        for key in ["once", "rent", "template"] { #expect(try await sender.cancelSchedule(key)) }
        #expect(try await sender.schedules().schedules.isEmpty)
      }
    }

    @Test func `a send for later is cancelled`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let sender = try await sender(belfry)
        let request = SendRequest(to: .user("\(ann.id)"), type: 99).title("Later").body("Later")
          .at(Date(timeIntervalSinceNow: 3_600))
        let accepted = try await sender.send(request)
        #expect(accepted.isScheduled)
        #expect(try await sender.status(of: accepted.requestID)?.state == .scheduled)
        let cancellation = try await sender.cancel(accepted.requestID)
        #expect(cancellation.cancelledCount == 1)
        #expect(cancellation.status == .cancelled)
      }
    }

    @Test func `an API key sends, and one that is none is refused`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let admin = try TokenMinter.mint(secret: belfry.stack.tokenSecret, subject: "tests", roles: [.admin])
        let made = try await belfry.call(
          "POST",
          "/api/v1/admin/api-keys",
          token: admin,
          body: #"{"name":"sender","scopes":["send"]}"#
        )
        let key = try #require(made.json["key"] as? String)
        let gateway = try #require(URL(string: belfry.stack.gatewayURL))
        let request = SendRequest(to: .user("\(ann.id)"), type: 99).title("Key").body("Key")
        try await BelfrySender(gateway: gateway, credential: .apiKey(key)).send(request)
        try await eventually("it is in the inbox") { try await titles(of: ann, belfry) == ["Key"] }
        do {
          try await BelfrySender(gateway: gateway, credential: .apiKey("belfry_no")).send(request)
          throw SenderTestFailure()
        } catch let error as SenderError {
          #expect(error.problem?.kind == .unauthorized)
        }
      }
    }
  }
}

/// Something went on that should not have.
private struct SenderTestFailure: Error {}
