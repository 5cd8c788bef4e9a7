import Broker
import Foundation
import HTTPTypes
import NotificationModel
import NotificationQueue
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// `POST /api/v1/notifications`
@Suite struct SendRouteTests {
  private let path = "/api/v1/notifications"
  private let body = #"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"type":12}"#

  private func key(_ key: String) -> HTTPFields { [.idempotencyKey: key] }

  @Test func `a send is handed to the routers as it came, under the id that is answered`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .service(), body: body).expect(.accepted).json()
      #expect(answer["status"] as? String == "accepted")
      let message = try #require(gateway.ingested.first)
      #expect(gateway.ingested.count == 1)
      #expect(message.body == Array(body.utf8))
      #expect(message.messageID == answer["requestId"] as? String)
      #expect(RequestID(message.messageID ?? "")?.time != nil)
      #expect(message.type == "belfry.request")
      #expect(message.appID == "belfry-gateway")
      #expect(message.owner == .named("shop"))
      #expect(message.isPersistent)
      #expect(gateway.broker.steps == [.published(exchange: Topology.ingestExchange, key: Topology.requestKey)])
    }
  }

  @Test func `a send is dated by the time that all services share`() async throws {
    let clock = SettableClock()
    try await TestGateway.with(clock: { clock.now }) { gateway in
      _ = try await gateway.call(.post, path, as: .service(), body: body).expect(.accepted)
      #expect(gateway.ingested.map(\.timestamp) == [clock.now])
    }
  }

  @Test(arguments: [
    (#"{"to":{"users":[""]},"type":12}"#, ["to.users[0]"]),
    (#"{"to":{"users":["4f9c1c1e-0001-4000-8000-000000000001"]},"tpye":12}"#, ["tpye", "type"]),
    (#"{"to":{"group":"g"},"type":10}"#, ["data.amount", "data.balance"]),
    (#"{"to":{"group":"g"},"type":9999}"#, ["type"]),
    (
      #"{"to":{"group":"g"},"type":10,"data":{"amount":"$1","balance":"\#(String(repeating: "9", count: 4_000))"}}"#,
      ["body"]
    ),
    (#"{"to":{"group":"g"},"type":12,"sendAt":"tomorrow"}"#, ["sendAt"]),
    (#"{"to":{"group":"g"},"type":12,"sendAt":"2999-01-01T00:00:00Z"}"#, ["sendAt"]),
    (#"{"to":{"topic":"a b"},"type":12}"#, ["to.topic"]),
    (#"{"to":{"condition":"'a' in topics and 'b' in topics"},"type":12}"#, ["to.condition"]),
    (#"{"to":{"topic":"news","users":["u"]},"type":12,"silent":true}"#, ["silent", "to.users"]),
    ("[]", [""]), ("", [""]), (#"{"to":"#, [""]),
  ])
  func `a request that cannot be carried out is refused with every field's name`(
    _ body: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test func `the same key gives the same id and one message, whoever asks for it with the same body`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      var ids: [String?] = []
      for _ in 0..<3 {
        let answer = try await gateway.call(.post, path, as: shop, headers: key("order-1"), body: body)
        ids.append(try answer.expect(.accepted).json()["requestId"] as? String)
      }
      #expect(Set(ids).count == 1)
      #expect(gateway.ingested.map(\.messageID) == [ids[0]])
      let other = try await gateway.call(.post, path, as: shop, headers: key("order-1"), body: body + " ")
      try other.expectProblem("idempotency-key-reused", .unprocessableContent)
      let foreign = try await gateway.call(.post, path, as: .service("bank"), headers: key("order-1"), body: body)
      #expect(try foreign.expect(.accepted).json()["requestId"] as? String != ids[0])
    }
  }

  @Test func `what the broker did not confirm is published again under the same id`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      let lost = Mutex<[String?]>([])
      gateway.broker.failPublishes { message, _, _ in
        lost.withLock { $0.append(message.messageID) }
        return BrokerError(.timeout, "no confirm")
      }
      let failed = try await gateway.call(.post, path, as: shop, headers: key("order-2"), body: body)
      try failed.expectProblem("unavailable", .serviceUnavailable)
      #expect(failed.headers[.retryAfter] != nil)
      gateway.broker.failPublishes(nil)
      let again = try await gateway.call(.post, path, as: shop, headers: key("order-2"), body: body).expect(.accepted)
      #expect(try again.json()["requestId"] as? String == lost.withLock { $0.first ?? nil })
      #expect(gateway.ingested.count == 1)
    }
  }

  @Test(arguments: ["", "with space", "ümlaut", String(repeating: "k", count: 256)])
  func `a key that is none is refused`(_ key: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .service(), headers: self.key(key), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["Idempotency-Key"])
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test(arguments: [BrokerError.Code.unavailable, .connectionLost, .timeout, .blocked, .nacked, .overloaded])
  func `without the broker's confirm nothing is said to be accepted`(_ code: BrokerError.Code) async throws {
    try await TestGateway.withoutDatabase { gateway in
      gateway.broker.failPublishes { _, _, _ in BrokerError(code, "away") }
      let answer = try await gateway.call(.post, path, as: .service(), body: body)
      try answer.expectProblem("unavailable", .serviceUnavailable)
      let isUncertain = [.connectionLost, .timeout].contains(code)
      #expect(answer.text.contains(isUncertain ? "it may be accepted" : "nothing was accepted"))
    }
  }

  @Test func `a body above the limit is refused as too large`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let body = String(repeating: " ", count: RequestBody.maximum + 1)
      try await gateway.call(.post, path, as: .service(), body: body).expectProblem("too-large", .contentTooLarge)
    }
  }
}
