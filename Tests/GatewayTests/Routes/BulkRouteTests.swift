import Broker
import Foundation
import HTTPTypes
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization
import TestSupport
import Testing
import WallClock

@testable import Gateway

/// `POST /api/v1/notifications/bulk`
@Suite struct BulkRouteTests {
  private let path = "/api/v1/notifications/bulk"
  private static let good = #"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"type":12}"#

  private func body(_ items: [String]) -> String { #"{"items":[\#(items.joined(separator: ","))]}"# }

  private func ids(_ results: [[String: Any]]) -> [String] { results.compactMap { $0["requestId"] as? String } }

  private func statuses(_ results: [[String: Any]]) -> [String: Int] {
    results.reduce(into: [:]) { $0[$1["status"] as? String ?? "", default: 0] += 1 }
  }

  @Test func `of a thousand sends the bad ones are refused, and the others are handed to the routers`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      var items = [String](repeating: Self.good, count: 1_000)
      items[3] = #"{"to":{"users":[""]},"tpye":12}"#
      items[700] = "7"
      items[999] = #"{"to":{"group":"g"},"type":12,"sendAt":"2999-01-01T00:00:00Z"}"#
      let results = try await gateway.call(.post, path, as: .service(), body: body(items)).expect(.ok).list("results")
      #expect(results.map { $0["index"] as? Int } == (0..<1_000).map { $0 })
      #expect(statuses(results) == ["accepted": 997, "invalid": 3])
      let fields = [3, 700, 999].map { index in
        (results[index]["errors"] as? [[String: Any]] ?? []).compactMap { $0["field"] as? String }
      }
      #expect(fields == [["tpye", "to.users[0]", "type"], [""], ["sendAt"]])
      let messages = gateway.ingested
      #expect(messages.count == 997)
      #expect(Set(messages.compactMap(\.messageID)) == Set(ids(results)))
      #expect(Set(ids(results)).count == 997)
      #expect(messages.allSatisfy { $0.owner == .named("shop") && $0.type == "belfry.request" })
      #expect(messages.allSatisfy { String(decoding: $0.body, as: UTF8.self) == Self.good })
    }
  }

  @Test func `of many items of unknown types no more than ten get advice`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let item = #"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"type":"AlowanceDeposit"}"#
      let results = try await gateway.call(
        .post,
        path,
        as: .service(),
        body: body(Array(repeating: item, count: 20))
      ).expect(.ok).list("results")
      let errors = results.flatMap { $0["errors"] as? [[String: Any]] ?? [] }
      #expect(errors.count == 20 && errors.allSatisfy { $0["field"] as? String == "type" })
      let messages = errors.compactMap { $0["message"] as? String }
      #expect(messages.count { $0.contains("did you mean AllowanceDeposit?") } == 10)
    }
  }

  @Test func `an item whose texts are too long once they are filled in is refused by name, and its neighbour is taken`()
    async throws
  {
    let long = String(repeating: "a", count: 3_950)
    try await TestGateway.withoutDatabase { gateway in
      let item =
        #"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"type":10,"data":{"amount":"\#(long)","balance":"$1"}}"#
      let results = try await gateway.call(.post, path, as: .service(), body: body([item, Self.good])).expect(.ok)
        .list("results")
      #expect(statuses(results) == ["accepted": 1, "invalid": 1])
      #expect((results[0]["errors"] as? [[String: Any]] ?? []).map { $0["field"] as? String } == ["body"])
      #expect(gateway.ingested.count == 1)
    }
  }

  @Test(arguments: [
    (#"{"items":[]}"#, ["items"]), (#"{}"#, ["items"]), (#"{"items":{}}"#, ["items"]), ("[]", [""]), ("", [""]),
    (#"{"items":[{}],"item":1}"#, ["item"]),
  ])
  func `what is no list of sends is refused as a whole`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
      let many = self.body([String](repeating: Self.good, count: 1_001))
      let tooMany = try await gateway.call(.post, path, as: .service(), body: many)
      #expect(try tooMany.expectProblem("validation", .badRequest) == ["items"])
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test func `an item is no larger than a send, and a call has a limit of its own`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      // Members whose name is repeated: the last counts, and all of them travel.
      let title = #""title":"\#(String(repeating: "t", count: 200))","#
      let large = "{" + String(repeating: title, count: RequestBody.maximum / title.count + 1) + Self.good.dropFirst()
      let results = try await gateway.call(.post, path, as: .service(), body: body([large, Self.good])).expect(.ok)
        .list("results")
      #expect(results.map { $0["status"] as? String } == ["invalid", "accepted"])
      #expect((results.first?["errors"] as? [[String: Any]])?.first?["field"] as? String == "items[0]")
      #expect(gateway.ingested.count == 1)
      let whole = String(repeating: " ", count: BulkController.maximumBody + 1)
      try await gateway.call(.post, path, as: .service(), body: whole).expectProblem("too-large", .contentTooLarge)
    }
  }

  @Test func `where the broker dies in the middle, a repetition gives the same ids and loses none`() async throws {
    try await TestGateway.with { gateway in
      let (shop, body) = (try await Caller.service(), body([String](repeating: Self.good, count: 300)))
      let left = Mutex(120)
      gateway.broker.failPublishes { _, _, _ in
        let isAlive = left.withLock { left in
          left -= 1
          return left >= 0
        }
        return isAlive ? nil : BrokerError(.connectionLost, "gone")
      }
      let key: HTTPFields = [.idempotencyKey: "march"]
      let first = try await gateway.call(.post, path, as: shop, headers: key, body: body).expect(.ok).list("results")
      #expect(statuses(first) == ["accepted": 120, "unavailable": 180])
      #expect(Set(ids(first)) == Set(gateway.ingested.compactMap(\.messageID)))
      #expect(first.allSatisfy { ($0["errors"] == nil) == ($0["status"] as? String == "accepted") })
      #expect(
        first.allSatisfy { result in
          let fields = (result["errors"] as? [[String: Any]] ?? []).compactMap { $0["field"] as? String }
          return fields.allSatisfy { $0 == "items[\(result["index"] as? Int ?? -1)]" }
        }
      )
      gateway.broker.failPublishes(nil)
      let second = try await gateway.call(.post, path, as: shop, headers: key, body: body).expect(.ok).list("results")
      #expect(statuses(second) == ["accepted": 300])
      // Those that were accepted before have the ids that they had: nothing is stored twice.
      #expect(
        zip(first, second).allSatisfy {
          $0["requestId"] == nil || $0["requestId"] as? String == $1["requestId"] as? String
        }
      )
      #expect(Set(gateway.ingested.compactMap(\.messageID)) == Set(ids(second)))
      let count = gateway.ingested.count
      let third = try await gateway.call(.post, path, as: shop, headers: key, body: body).expect(.ok).list("results")
      #expect(ids(third) == ids(second))
      #expect(gateway.ingested.count == count)
      let other = try await gateway.call(.post, path, as: shop, headers: key, body: self.body([Self.good]))
      try other.expectProblem("idempotency-key-reused", .unprocessableContent)
    }
  }

  @Test func `where the broker takes none at all it is said for the whole`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      gateway.broker.failPublishes { _, _, _ in BrokerError(.unavailable, "away") }
      let answer = try await gateway.call(.post, path, as: .service(), body: body(["{}", Self.good]))
      try answer.expectProblem("unavailable", .serviceUnavailable)
      #expect(answer.headers[.retryAfter] != nil)
      // Of which nothing could have been published.
      let bad = try await gateway.call(.post, path, as: .service(), body: body(["{}"])).expect(.ok).list("results")
      #expect(statuses(bad) == ["invalid": 1])
    }
  }

  @Test func `what is for later is stored once, and said to be scheduled each time`() async throws {
    let clock = SettableClock()
    try await TestGateway.with(clock: { clock.now }) { gateway in
      let sendAt = clock.now + 3_600
      let later = #"{"to":{"group":"g"},"type":12,"sendAt":"\#(sendAt.rfc3339)"}"#
      let body = body([later, Self.good, later])
      let key: HTTPFields = [.idempotencyKey: "k"]
      var answers: [[String]] = []
      for _ in 0..<2 {
        let results = try await gateway.call(.post, path, as: .service(), headers: key, body: body).expect(.ok)
          .list("results")
        #expect(results.map { $0["status"] as? String } == ["scheduled", "accepted", "scheduled"])
        answers.append(ids(results))
        // Also when the time has come: a repetition is evaluated by the first call.
        clock.advance(by: 7_200)
      }
      #expect(answers[0] == answers[1] && Set(answers[0]).count == 3)
      #expect(gateway.ingested.map(\.messageID) == [answers[0][1]])
      let claims = try await ScheduleStore(client: gateway.database).claim(.sends, limit: 9, lease: 60, now: clock.now)
      #expect(claims.count == 2)
    }
  }

  @Test func `an item that was refused is evaluated again by a repetition, and the others keep their ids`() async throws
  {
    try await TestGateway.with { gateway in
      let key: HTTPFields = [.idempotencyKey: "k"]
      var answers: [[String]] = []
      for _ in 0..<2 {
        let results = try await gateway.call(
          .post,
          path,
          as: .service(),
          headers: key,
          body: body([Self.good, #"{"to":{"group":"g"},"type":9999}"#])
        ).expect(.ok).list("results")
        #expect(results.map { $0["status"] as? String } == ["accepted", "invalid"])
        answers.append(ids(results))
      }
      #expect(answers[0] == answers[1])
      #expect(Set(gateway.ingested.compactMap(\.messageID)) == Set(answers[0]))
    }
  }
}
