import Authentication
import Foundation
import HTTPTypes
import NotificationModel
import SeedModels
import Testing

@testable import Gateway

/// The app of MessageAI, story 3.4: its token, and the texts of its pushes.
@Suite struct MessageSpecificationTests {
  private typealias App = MessageAI

  /// Lines 437 to 468: what Firestore kept in the user's document is a device.
  @Test func `saveFCMToken sends a token only if it changed, and a refreshed one replaces it`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let installation = UUID()
      var cached: String?
      var sent: [String] = []
      for token in ["fMEP0vJ5:APA91bFirst", "fMEP0vJ5:APA91bFirst", "fMEP0vJ5:APA91bSecond"] {
        guard let update = App.FCMTokenUpdate(token: token, cached: cached, installation: installation) else {
          continue
        }
        let body = String(decoding: try JSONEncoder().encode(update), as: UTF8.self)
        _ = try await gateway.call(.post, "/api/v1/devices", as: ann, body: body).expect(.ok)
        sent.append(token)
        cached = token
      }
      #expect(sent == ["fMEP0vJ5:APA91bFirst", "fMEP0vJ5:APA91bSecond"])
      let answer = try await gateway.call(.get, "/api/v1/devices", as: ann).expect(.ok)
      let devices = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]])
      #expect(devices.map { $0["isActive"] as? Bool } == [true, false])
    }
  }

  /// Lines 588 to 600, in chats of two and in groups, with and without the names.
  @Test(
    arguments: [
      ("Bob", false, nil), (nil, false, nil), ("Bob", true, "Climbing"), ("Bob", true, nil), (nil, true, "Climbing"),
    ] as [(String?, Bool, String?)]
  )
  func `a message is titled and shortened as by its Cloud Function`(
    _ sender: String?,
    _ isGroupChat: Bool,
    _ group: String?
  ) async throws {
    let text = String(repeating: "See you at the wall? ", count: 10)
    var data: [String: Any] = [
      "conversationId": "c-1", "senderId": "u-2", "messageId": "m-3", "text": text, "isGroupChat": isGroupChat,
    ]
    data["senderName"] = sender
    data["groupName"] = group
    let body = try JSONSerialization.data(withJSONObject: ["type": "NewMessage", "data": data])
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(
        .post,
        "/api/v1/admin/preview",
        as: .service("ops", role: .admin),
        body: String(decoding: body, as: UTF8.self)
      ).expect(.ok)
      let channels = try #require(try answer.json()["channels"] as? [String: [String: String]])
      let expected = App.text(of: text, from: sender, isGroupChat: isGroupChat, groupName: group)
      #expect(channels["push"]?["title"] == expected.title)
      #expect(channels["push"]?["body"] == expected.body)
    }
  }
}
