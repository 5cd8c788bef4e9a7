import AppleDeclarations
import BelfryClient
import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import MessageAISample

extension EndToEndTests {
  /// MessageAI's service, on the running stack.
  @Suite(.serialized, .timeLimit(.minutes(4))) @MainActor struct SampleMessageTests {
    @Test func `no push comes about the conversation on the screen`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let client = try belfry.client(of: ann)
        let defaults = try #require(UserDefaults(suiteName: "sample-\(UUID())"))
        let service = NotificationService(client: client, defaults: defaults)
        let token = "sample-\(UUID())"
        await service.saveFCMToken(token)
        #expect(service.lastError == nil)
        let (viewed, other) = (UUID().lowercased, UUID().lowercased)
        await service.startViewing(conversationId: viewed)
        await client.connect()
        try await eventually("the server knows") {
          try await !belfry.database.query("SELECT 1 FROM presence WHERE user_id = \(ann.id.uuid)").isEmpty
        }
        for conversation in [viewed, other] {
          let body =
            #"{"to":{"users":["\#(ann.id)"]},"type":110,"relatedEntityType":"Conversation","#
            + #""relatedEntityId":"\#(conversation)","#
            + #""data":{"conversationId":"\#(conversation)","senderId":"u-2","messageId":"m-3","text":"Hi"}}"#
          _ = try await belfry.send(body).expect(202)
        }
        try await eventually("the other one is pushed") { try await !belfry.pushes(to: token).isEmpty }
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        let pushes = try await belfry.pushes(to: token)
        let data = try #require((pushes.first?["message"] as? [String: Any])?["data"] as? [String: String])
        #expect(pushes.count == 1 && data["conversationId"] == other)
        await client.signOut()
      }
    }
  }
}
