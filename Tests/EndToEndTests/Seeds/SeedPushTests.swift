import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

extension EndToEndTests {
  /// What the apps of the specifications look for in a push that was tapped: members of `data`, all texts.
  @Suite(.serialized) struct SeedPushTests {
    /// AllowanceTracker, push specification, lines 933 to 939; real-time features for iOS, lines 420 to 431.
    @Test func `a tap leads to what the notification is about`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [.iOS])
        let id = UUID().lowercased
        let push = try await push(
          to: ann,
          #""type":3,"data":{"type":"Debit","amount":"$5.00","description":"Ice cream","transactionId":"\#(id)"},"#
            + #""relatedEntityType":"Transaction","relatedEntityId":"\#(id)""#,
          belfry
        )
        #expect(push.title == "Debit - $5.00" && push.body == "Ice cream")
        #expect(push.data["relatedEntityType"] == "Transaction")
        #expect(push.data["relatedEntityId"] == id)
        #expect(push.data["transactionId"] == id)
      }
    }

    /// MessageAI, story 3.4, lines 588 to 608: what its Cloud Function sends, and lines 478 to 505, what its app reads.
    @Test func `a message's push names its conversation, sender and text`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [.iOS])
        let text = String(String(repeating: "See you at the wall? ", count: 10).prefix(100))
        let push = try await push(
          to: ann,
          #""type":99,"title":"Bob in Climbing","body":"\#(text)","#
            + #""data":{"conversationId":"c-1","senderId":"u-2","messageId":"m-3"}"#,
          belfry
        )
        #expect(push.title == "Bob in Climbing" && push.body == text)
        #expect(push.data["conversationId"] == "c-1")
        #expect(push.data["senderId"] == "u-2")
        #expect(push.data["messageId"] == "m-3")
        #expect(push.sound == "default")
      }
    }

    /// AllowanceTracker, real-time features for iOS, lines 503 to 506: the switch for sound.
    @Test func `who switched the sound off gets a silent push`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [.iOS])
        let path = "/api/v1/notifications/preferences"
        _ = try await belfry.call("PUT", path, token: ann.token, body: #"{"soundEnabled":false}"#).expect(200)
        let push = try await push(to: ann, #""type":10,"data":{"amount":"$5.00","balance":"$7.00"}"#, belfry)
        #expect(push.title != nil && push.sound == nil)
      }
    }

    private struct Push {
      let title: String?
      let body: String?
      let data: [String: String]
      let sound: String?
    }

    /// Sends a notification with these members and waits for its push.
    private func push(to person: Person, _ members: String, _ belfry: TestStack) async throws -> Push {
      _ = try await belfry.send(#"{"to":{"users":["\#(person.id)"]},\#(members)}"#).expect(202)
      try await eventually("the push arrived") { try await !belfry.pushes(to: person.devices[0]).isEmpty }
      let record = try #require(try await belfry.pushes(to: person.devices[0]).first)
      let message = try #require(record["message"] as? [String: Any])
      let notification = message["notification"] as? [String: Any]
      let payload = (message["apns"] as? [String: Any])?["payload"] as? [String: Any]
      return Push(
        title: notification?["title"] as? String,
        body: notification?["body"] as? String,
        data: try #require(message["data"] as? [String: String]),
        sound: (payload?["aps"] as? [String: Any])?["sound"] as? String
      )
    }
  }
}
