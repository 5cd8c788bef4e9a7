import AppleDeclarations
import BelfryClient
import Foundation
import Testing

@testable import MessageAISample

extension SystemSampleTests {
  /// MessageAI, tasks 4 to 7 and 15.
  @Suite @MainActor struct Messages {
    private let server = ScriptedServer()
    private let service: NotificationService

    init() throws {
      UNUserNotificationCenter.current().reset()
      UIApplication.shared.reset()
      let defaults = try #require(UserDefaults(suiteName: "messages-\(UUID())"))
      service = NotificationService(client: try server.client(), defaults: defaults)
    }

    private func notification(_ conversation: String?) -> UNNotification {
      let content = UNMutableNotificationContent()
      if let conversation {
        content.userInfo = ["conversationId": conversation, "senderId": "u-2", "messageId": "m-3"]
      }
      return UNNotification(UNNotificationRequest(identifier: "1", content: content, trigger: nil))
    }

    @Test func `a token is sent once, and again only when it has changed`() async {
      server.answer("POST /api/v1/devices", Answers.device)
      for token in ["first", "first", "second", "second"] { await service.saveFCMToken(token) }
      let sent = server.requests("POST /api/v1/devices")
      #expect(sent.map { $0.json["token"] as? String } == ["first", "second"])
      #expect(Set(sent.map { $0.json["installationId"] as? String }).count == 1)
      #expect(service.lastError == nil)
    }

    @Test func `a token that could not be sent is sent the next time`() async {
      server.answer("POST /api/v1/devices", status: 503, "{}")
      await service.saveFCMToken("first")
      #expect(service.lastError != nil)
      server.answer("POST /api/v1/devices", Answers.device)
      await service.saveFCMToken("first")
      #expect(server.requests.count == 2 && service.lastError == nil)
    }

    @Test func `after the sign-out the next user's token is sent`() async throws {
      server.answer("POST /api/v1/devices", Answers.device)
      server.answer("DELETE /api/v1/devices/current", status: 204, "")
      await service.saveFCMToken("first")
      try await service.deleteFCMToken()
      await service.saveFCMToken("first")
      #expect(server.requests("POST /api/v1/devices").count == 2)
    }

    @Test func `nothing is shown about the conversation on the screen`() async {
      await service.startViewing(conversationId: "c-1")
      let center = UNUserNotificationCenter.current()
      #expect(await service.userNotificationCenter(center, willPresent: notification("c-1")) == [])
      #expect(await service.userNotificationCenter(center, willPresent: notification("c-2")) == [.banner, .sound])
      #expect(await service.userNotificationCenter(center, willPresent: notification(nil)) == [])
      await service.startViewing(conversationId: "c-2")
      // The first chat goes from the screen after the second has come.
      await service.stopViewing(conversationId: "c-1")
      #expect(service.isViewingConversation("c-2"))
      await service.stopViewing(conversationId: "c-2")
      #expect(await service.userNotificationCenter(center, willPresent: notification("c-2")) == [.banner, .sound])
    }

    @Test func `a tap leads to its conversation`() async {
      let posted = AsyncStream<String?>.makeStream()
      let name = Notification.Name.navigateToConversation
      let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
        posted.continuation.yield(notification.userInfo?["conversationId"] as? String)
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      await service.userNotificationCenter(.current(), didReceive: UNNotificationResponse(notification("c-1")))
      var taps = posted.stream.makeAsyncIterator()
      #expect(await taps.next() == "c-1")
    }

    @Test func `who said no is not asked again, and comes to the settings`() async {
      UNUserNotificationCenter.current().grants = false
      for _ in 1...2 { #expect(await !service.requestPermission()) }
      #expect(UNUserNotificationCenter.current().questions == 1 && UIApplication.shared.registrations == 0)
      await service.openSettings()
      #expect(UIApplication.shared.opened.count == 1)
    }
  }
}
