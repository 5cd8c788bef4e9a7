import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Testing

@testable import Gateway

/// Repetitions of what a gateway with another catalogue has accepted: this one's has lost the type, or the event.
@Suite struct LostTypeTests {
  struct Report: Sendable, CustomTestStringConvertible {
    let path: String
    let scope: String
    /// Of what the catalogue has lost.
    let lost: String
    /// Of what it has.
    let known: String
    let field: String

    var testDescription: String { path }

    static let all = [
      Report(
        path: "/api/v1/notifications",
        scope: "rest:shop",
        lost: #"{"to":{"group":"g"},"type":9999}"#,
        known: #"{"to":{"group":"g"},"type":12}"#,
        field: "type"
      ),
      Report(
        path: "/api/v1/events",
        scope: "rest-event:shop",
        lost: #"{"name":"Lost","audience":{"group":"g"},"payload":{}}"#,
        known: #"{"name":"BalanceUpdated","audience":{"group":"g"},"#
          + #""payload":{"childId":"6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b","newBalance":47.00}}"#,
        field: "name"
      ),
    ]

    func send(_ gateway: TestGateway, _ body: String, key: String) async throws -> Answer {
      try await gateway.call(.post, path, as: .service(), headers: [.idempotencyKey: key], body: body)
    }

    /// As the other gateway did; the id that it answered, or would have.
    func claim(_ gateway: TestGateway, key: String, isConfirmed: Bool) async throws -> NotificationModel.RequestID {
      let store = IdempotencyStore(client: gateway.database)
      let claim = try IdempotencyKey(key, scope: scope).claim(Array(lost.utf8), now: .now)
      let entry = try #require(try await store.claim([claim]).first)
      if isConfirmed { try await store.confirm(scope: scope, key: key) }
      return entry.requestID
    }
  }

  @Test(arguments: Report.all)
  func `what was accepted is answered as before, and published no second time`(_ report: Report) async throws {
    try await TestGateway.with { gateway in
      let id = try await report.claim(gateway, key: "k", isConfirmed: true)
      let answer = try await report.send(gateway, report.lost, key: "k").expect(.accepted).json()
      #expect(answer["requestId"] as? String == id.description)
      #expect(answer["status"] as? String == "accepted")
      #expect(gateway.ingested.isEmpty)
      // Another body has not been accepted.
      let other = try await report.send(gateway, report.lost + " ", key: "k")
      #expect(try other.expectProblem("validation", .badRequest) == [report.field])
    }
  }

  @Test(arguments: Report.all)
  func `what nobody has confirmed is evaluated by today's catalogue`(_ report: Report) async throws {
    try await TestGateway.with { gateway in
      _ = try await report.claim(gateway, key: "k", isConfirmed: false)
      let answer = try await report.send(gateway, report.lost, key: "k")
      #expect(try answer.expectProblem("validation", .badRequest) == [report.field])
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test(arguments: Report.all)
  func `what is refused leaves its key to be used`(_ report: Report) async throws {
    try await TestGateway.with { gateway in
      try await report.send(gateway, report.lost, key: "k").expectProblem("validation", .badRequest)
      _ = try await report.send(gateway, report.known, key: "k").expect(.accepted)
      #expect(gateway.ingested.count == 1)
    }
  }
}
