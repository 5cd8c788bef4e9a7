import Broker
import Foundation
import HTTPTypes
import NotificationQueue
import TestSupport
import Testing

@testable import Gateway

/// `POST /api/v1/events`
@Suite struct EventRouteTests {
  private let path = "/api/v1/events"
  private let body = #"""
    {"name":"BalanceUpdated","audience":{"group":"g"},
     "payload":{"childId":"6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b","newBalance":47.00}}
    """#

  @Test func `an event is handed to the routers as it came`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .service(), body: body).expect(.accepted).json()
      let message = try #require(gateway.ingested.first)
      #expect(message.body == Array(body.utf8))
      #expect(message.messageID == answer["requestId"] as? String)
      #expect(message.type == "belfry.event")
      #expect(gateway.broker.steps == [.published(exchange: Topology.ingestExchange, key: Topology.eventKey)])
    }
  }

  @Test(arguments: [
    (
      #"{"name":"BalanceUpdated","audience":{"group":"g"},"payload":{"childId":"6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"}}"#,
      ["payload.newBalance"]
    ),
    (#"{"name":"BalanceUpdated","payload":{"childId":"","newBalance":1}}"#, ["payload.childId"]),
    (#"{"name":"GoalUpdated","payload":{"goalId":"7"}}"#, ["payload.userId"]),
    (
      #"{"name":"GoalUpdated","payload":{"userId":"6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b","goalId":"7","percent":"much"}}"#,
      ["payload.percent"]
    ),
    (
      #"{"name":"AppOpened","payload":{"userId":"6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"},"occurredAt":"2999-01-01T00:00:00Z"}"#,
      ["occurredAt"]
    ),
    (#"{"name":"GoalReached","payload":{}}"#, ["audience"]),
    (#"{"name":"Unheard","audience":{"group":"g"},"payload":{}}"#, ["name"]),
    (#"{"name":"GoalReached","audience":{},"payload":[],"at":1}"#, ["at", "audience.users", "payload"]),
    ("{}", ["name", "payload"]),
  ])
  func `an invalid event is refused with every field's name`(
    _ body: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test func `an event whose notice would carry too much is refused, not dead-lettered later`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let user = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"
      let name = String(repeating: "x", count: 5_000)
      let body =
        #"{"name":"GoalCreated","payload":{"userId":"\#(user)","goalId":"g","goalName":"\#(name)"}}"#
      let answer = try await gateway.call(.post, path, as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["payload"])
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test func `the same key and body is one event with one id, however often it is reported`() async throws {
    try await TestGateway.with { gateway in
      var ids: [String?] = []
      for _ in 0..<3 {
        let answer = try await gateway.call(.post, path, as: .service(), headers: [.idempotencyKey: "k"], body: body)
        ids.append(try answer.expect(.accepted).json()["requestId"] as? String)
      }
      #expect(Set(ids).count == 1)
      #expect(gateway.ingested.map(\.messageID) == [ids[0]])
      #expect(gateway.ingested.map(\.type) == ["belfry.event"])
      let other = body.replacing("47", with: "48")
      let answer = try await gateway.call(.post, path, as: .service(), headers: [.idempotencyKey: "k"], body: other)
      try answer.expectProblem("idempotency-key-reused", .unprocessableContent)
      // A send's keys are others.
      let send = #"{"to":{"users":["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]},"type":12}"#
      let sent = try await gateway.call(
        .post,
        "/api/v1/notifications",
        as: .service(),
        headers: [.idempotencyKey: "k"],
        body: send
      )
      _ = try sent.expect(.accepted)
      #expect(gateway.ingested.count == 2)
    }
  }
}
