import Foundation
import LocalStack
import NotificationModel
import SeedModels
import TestSupport
import Testing

extension EndToEndTests {
  /// What happens in the apps of MessageAI and LifeSignal, reported as an event, and what their clients read of it.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct SeedEventTests {
    /// MessageAI, story 3.4, lines 527 to 618: the Cloud Function that a message triggers.
    @Test func `a message is pushed to all of its conversation but its sender`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [.iOS])
        let bob = try await belfry.makeUser(platforms: [.iOS])
        let conversation = UUID().lowercased
        let members = #"{"members":["\#(ann.id)","\#(bob.id)"]}"#
        let group = "/api/v1/groups/conversation:\(conversation)"
        _ = try await belfry.call("PUT", group, token: try await belfry.serviceToken(), body: members).expect(200)
        let text = String(repeating: "See you at the wall? ", count: 10)
        try await report(
          "MessageSent",
          #"{"conversationId":"\#(conversation)","messageId":"m-3","senderId":"\#(bob.id)","senderName":"Bob","#
            + #""text":"\#(text)","isGroupChat":true,"groupName":"Climbing"}"#,
          belfry
        )
        try await eventually("Ann's phone has it") { try await !belfry.pushes(to: ann.devices[0]).isEmpty }
        let record = try #require(try await belfry.pushes(to: ann.devices[0]).first)
        let message = try #require(record["message"] as? [String: Any])
        let shown = try #require(message["notification"] as? [String: Any])
        let expected = MessageAI.text(of: text, from: "Bob", isGroupChat: true, groupName: "Climbing")
        #expect(shown["title"] as? String == expected.title && shown["body"] as? String == expected.body)
        let userInfo = try #require(message["data"] as? [String: String])
        #expect(MessageAI.conversationId(in: userInfo) == conversation)
        let data = try JSONDecoder().decode(MessageAI.PushData.self, from: JSONEncoder().encode(userInfo))
        #expect(data.conversationId == conversation)
        #expect(data.senderId == bob.id.description && data.messageId == "m-3")
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        #expect(try await belfry.pushes(to: bob.devices[0]).isEmpty)
      }
    }

    /// LifeSignal, lines 11 and 294 to 302: both of two contacts get a notification of what one of them does.
    @Test(arguments: [
      ("ContactRoleChanged", LifeSignal.NotificationType.role), ("ContactAdded", .added), ("ContactRemoved", .removed),
    ])
    func `both contacts see in their streams what one of them changed`(
      _ event: String,
      _ type: LifeSignal.NotificationType
    ) async throws {
      try await TestStack.with { belfry in
        let people = [try await belfry.makeUser(platforms: []), try await belfry.makeUser(platforms: [])]
        var hubs: [HubClient] = []
        for person in people { hubs.append(try await HubClient.connect(.pysignalr, to: belfry, as: person)) }
        try await report(
          event,
          #"{"userId":"\#(people[0].id)","userName":"Ann","contactId":"\#(people[1].id)","contactName":"Bob","#
            + #""role":"responder"}"#,
          belfry
        )
        for (hub, other) in zip(hubs, people.reversed()) {
          try await eventually("it arrived") { try !hub.notifications().isEmpty }
          let received = try #require(try hub.notifications().first)
          let notification: LifeSignal.NotificationData = try LifeSignal.read(
            from: JSONSerialization.data(withJSONObject: received)
          )
          #expect(notification.type == type && !notification.isRead)
          #expect(notification.relatedContactID == other.id.description)
          #expect(notification.relatedAlertID == nil && notification.relatedPingID == nil)
        }
      }
    }

    private func report(_ name: String, _ payload: String, _ belfry: TestStack) async throws {
      let body = #"{"name":"\#(name)","payload":\#(payload)}"#
      let token = try await belfry.serviceToken()
      _ = try await belfry.call("POST", "/api/v1/events", token: token, body: body).expect(202)
    }
  }
}
