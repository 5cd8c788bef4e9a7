import Authentication
import Broker
import Foundation
import HTTPTypes
import NotificationModel
import NotificationQueue
import Testing

@testable import Gateway

/// `POST /api/v1/notifications/test`
@Suite struct TestRouteTests {
  private let path = "/api/v1/notifications/test"
  private let user = "4f9c1c1e-0001-4000-8000-000000000001"

  @Test(arguments: ["99", #""SystemAnnouncement""#])
  func `an admin sends one person a text`(_ type: String) async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service("root", role: .admin)
      let body = #"{"userId":"\#(user)","type":\#(type),"title":"Test","body":"Can you\nsee this?"}"#
      let answer = try await gateway.call(.post, path, as: admin, body: body).expect(.accepted).json()
      #expect(answer["status"] as? String == "accepted")
      let message = try #require(gateway.ingested.first)
      #expect(gateway.ingested.count == 1)
      #expect(message.messageID == answer["requestId"] as? String)
      #expect(message.type == "belfry.request" && message.owner == .named("root"))
      let send = try FieldReader.read(SendRequest.self, from: message.body)
      #expect(send.audience == .users([try #require(UserID(user))]))
      #expect(try send.resolve(in: TestGateway.catalogue.get()).code == 99)
      #expect((send.title, send.body) == ("Test", "Can you\nsee this?"))
      #expect(send.channels == nil && !send.isSilent)
    }
  }

  @Test func `a type whose own text needs data is sent with the text that is given`() async throws {
    try await TestGateway.with { gateway in
      let admin = try await Caller.service(role: .admin)
      let body = #"{"userId":"\#(user)","type":10,"title":"T","body":"{{amount}}"}"#
      _ = try await gateway.call(.post, path, as: admin, body: body).expect(.accepted)
      #expect(gateway.ingested.count == 1)
    }
  }

  @Test(arguments: [
    ("{}", ["body", "title", "type", "userId"]),
    (#"{"userId":"","type":99,"title":"","body":""}"#, ["body", "title", "userId"]),
    (#"{"userId":"4f9c1c1e-0001-4000-8000-000000000001","type":9999,"title":"T","body":"B"}"#, ["type"]),
    (#"{"userId":"4f9c1c1e-0001-4000-8000-000000000001","type":99,"title":"T","body":"B","data":{}}"#, ["data"]),
    ("[]", [""]),
  ])
  func `all four members are needed, and no other is taken`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .service(role: .admin), body: body)
      #expect(try answer.expectProblem("validation", .badRequest).sorted() == fields)
      #expect(gateway.ingested.isEmpty)
    }
  }
}
