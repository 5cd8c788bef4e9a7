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
  private let body = #"{"name":"BalanceUpdated","audience":{"group":"g"},"payload":{"childId":"7","newBalance":47.00}}"#

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
    (#"{"name":"BalanceUpdated","audience":{"group":"g"},"payload":{"childId":"7"}}"#, ["payload.newBalance"]),
    (#"{"name":"GoalUpdated","audience":{"group":"g"},"payload":{"goalId":"7"}}"#, ["name"]),
    (#"{"name":"Unheard","audience":{"group":"g"},"payload":{}}"#, ["name"]),
    (#"{"name":"GoalReached","audience":{},"payload":[],"at":1}"#, ["at", "audience.users", "payload"]),
    ("{}", ["name", "audience", "payload"]),
  ])
  func `an event that cannot be told is refused with every field's name`(
    _ body: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .service(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test func `an idempotency key is refused, for nothing is stored by which a repetition could be known`() async throws
  {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .service(), headers: [.idempotencyKey: "k"], body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["Idempotency-Key"])
      #expect(gateway.ingested.isEmpty)
    }
  }
}
