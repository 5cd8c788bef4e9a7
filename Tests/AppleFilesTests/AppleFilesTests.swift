import AppleDeclarations
import AppleFiles
import BelfryClient
import Foundation
@testable import NotificationServiceSample
import Testing

/// The files that Apple's frameworks call, against declarations that keep everything in memory. One at a time: there is one centre.
@Suite(.serialized)
@MainActor
struct AppleFilesTests {
  private let center = UNUserNotificationCenter.current()
  private let http = StubHTTP()
  private let client: BelfryClient

  init() throws {
    center.reset()
    UIApplication.shared.reset()
    client = BelfryClient(try http.configuration()) { _ in "token" }
  }

  private func deliver(_ userInfo: [AnyHashable: Any], as identifier: String) async throws -> UNNotification {
    let content = UNMutableNotificationContent()
    content.userInfo = userInfo
    try await center.add(UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
    center.deliver()
    return try #require(center.delivered.first { $0.request.identifier == identifier })
  }

  // MARK: The centre

  @Test func `permission, badge and the system's list go through the centre`() async throws {
    let system = AppleNotifications()
    #expect(await system.permission() == .notDetermined)
    #expect(try await system.requestPermission(quietly: true))
    #expect(await system.permission() == .provisional)
    await system.setBadge(7)
    #expect(center.badgeCount == 7)
    let id = UUID()
    _ = try await deliver(["type": "1", "notificationId": id.uuidString], as: "one")
    _ = try await deliver([:], as: "own")
    #expect(
      await system.delivered() == [
        DeliveredNotification(identifier: "one", notification: id),
        DeliveredNotification(identifier: "own", notification: nil),
      ]
    )
    await system.remove(["one"])
    #expect(center.delivered.map(\.request.identifier) == ["own"])
  }

  @Test func `a refusal is no permission`() async throws {
    center.grants = false
    #expect(try await AppleNotifications().requestPermission(quietly: false) == false)
    #expect(await AppleNotifications().permission() == .denied)
  }

  @Test func `categories get their buttons, and the app's own stay`() async throws {
    center.setNotificationCategories([
      UNNotificationCategory(identifier: "OWN", actions: [], intentIdentifiers: []),
      UNNotificationCategory(identifier: "GoalProgress", actions: [], intentIdentifiers: []),
    ])
    http.answer(
      "/catalogue",
      #"{"types":[{"code":20,"name":"GoalProgress","actions":[{"id":"A","title":"One"},{"id":"B","title":"Two"}]}],"categories":[],"settings":[]}"#
    )
    try await client.registerCategories { $0 == "A" ? .opensApp : [.destructive, .needsUnlock] }
    let known = await withCheckedContinuation { continuation in
      center.getNotificationCategories { categories in
        continuation.resume(
          returning: categories.sorted { $0.identifier < $1.identifier }
            .map { "\($0.identifier) \($0.actions.map { "\($0.identifier) \($0.title) \($0.options.rawValue)" })" }
        )
      }
    }
    #expect(known == [#"GoalProgress ["A One 4", "B Two 3"]"#, "OWN []"])
  }

  // MARK: Taps

  @Test func `a tap is reported, then answered, and its route is the app's`() async throws {
    let delegate = PushDelegate(client)
    let push = try await deliver(["type": "1", "receipt": "AU-r", "conversationId": "c-1"], as: "one")
    await withCheckedContinuation { continuation in
      delegate.userNotificationCenter(
        center,
        didReceive: UNNotificationResponse(push, actionIdentifier: "REPLY"),
        withCompletionHandler: { continuation.resume() }
      )
    }
    #expect(http.sent == [#"POST /api/v1/receipts/AU-r {"event":"opened","action":"REPLY"}"#])
    var routes = delegate.routes.makeAsyncIterator()
    let route = await routes.next()
    #expect(route?.conversationId == "c-1")
    #expect(route?.action == .button("REPLY"))
  }

  @Test func `a push about what is on the screen is not shown`() async throws {
    let delegate = PushDelegate(client)
    let push = try await deliver(["type": "1", "relatedEntityType": "goal", "relatedEntityId": "7"], as: "one")
    func options() async -> UNNotificationPresentationOptions {
      await withCheckedContinuation { continuation in
        delegate.userNotificationCenter(
          center,
          willPresent: push,
          withCompletionHandler: { continuation.resume(returning: $0) }
        )
      }
    }
    #expect(await options().contains(.banner))
    await client.startViewing(RelatedEntity(type: "goal", id: "7"))
    #expect(await options() == .badge)
  }

  @Test func `a view keeps pushes about its entity away while it is there and the app is in front`() async throws {
    let (first, second) = (Screen(), Screen())
    defer { EnvironmentValues.current = EnvironmentValues() }
    let (goal, chat) = (RelatedEntity(type: "goal", id: "7"), RelatedEntity(type: "conversation", id: "c-1"))
    func draw(_ entity: RelatedEntity?, on screen: Screen, in phase: ScenePhase = .active) {
      EnvironmentValues.current.scenePhase = phase
      screen.show(ModifiedContent().belfryViewing(client, entity))
    }
    draw(goal, on: first)
    #expect(try await keepsAway(goal))
    for phase in [ScenePhase.inactive, .background] {
      draw(goal, on: first, in: phase)
      #expect(try await keepsAway(nil))
      draw(goal, on: first)
      #expect(try await keepsAway(goal))
    }
    // Another view above it, which then shows something else, and then nothing yet.
    draw(chat, on: second)
    #expect(try await keepsAway(chat))
    draw(RelatedEntity(type: "goal", id: "8"), on: second)
    #expect(try await keepsAway(RelatedEntity(type: "goal", id: "8")))
    draw(nil, on: second)
    #expect(try await keepsAway(goal))
    first.hide()
    #expect(try await keepsAway(nil))
  }

  /// Waits until pushes about this are not shown, and those about the others are.
  private func keepsAway(_ entity: RelatedEntity?) async throws -> Bool {
    let all = [("goal", "7"), ("goal", "8"), ("conversation", "c-1")]
    let expected = all.filter { $0.0 == entity?.type && $0.1 == entity?.id }.map(\.1)
    for _ in 0..<10_000 {
      var kept: [String] = []
      for (type, id) in all {
        let userInfo: [AnyHashable: Any] = ["type": "1", "relatedEntityType": type, "relatedEntityId": id]
        if await !client.isToBeShown(try #require(PushRoute(userInfo: userInfo))) { kept.append(id) }
      }
      if kept == expected { return true }
      await Task.yield()
    }
    return false
  }

  // MARK: Registering and refreshing

  @Test func `signing out keeps pushes off this device, also offline`() async throws {
    PushRegistration.askForToken()
    #expect(UIApplication.shared.isRegistered)
    let registration = PushRegistration(client, app: .current)
    http.answer("/api/v1/devices", #"{"id":"01a10000-0000-7000-8000-000000000001"}"#)
    #expect(try await registration.register(.fcmToken("one")))
    http.goOffline()
    #expect(await registration.signOutOfApp() == false)
    #expect(UIApplication.shared.isRegistered == false)
  }

  @Test func `iOS gets its answer on its own queue, and the next refresh is asked for`() async throws {
    http.answer("/api/v1/notifications", #"{"notifications":[],"unreadCount":4,"totalCount":0,"hasMore":false}"#)
    http.answer("/api/v1/notifications/preferences", #"{"preferences":[],"categories":[],"notificationsEnabled":true}"#)
    let refresh = BackgroundRefreshTask("com.example.refresh", client: client, in: AppleNotifications())
    #expect(refresh.register())
    #expect(await BGTaskScheduler.shared.launch("com.example.refresh") == true)
    #expect(center.badgeCount == 4)
    let next = try #require(BGTaskScheduler.shared.requests["com.example.refresh"] ?? nil)
    #expect(next > Date())
    http.goOffline()
    #expect(await BGTaskScheduler.shared.launch("com.example.refresh") == false)
  }

  @Test func `each result is iOS's own`() {
    let results: [BackgroundRefreshResult] = [.newData, .noData, .failed]
    #expect(results.map(\.fetchResult) == [.newData, .noData, .failed])
  }

  // MARK: The service extension

  @Test func `the extension adds image, badge and thread, and reports`() async throws {
    http.answer("/a.gif", "GIF89a")
    let userInfo: [AnyHashable: Any] = [
      "aps": ["badge": 3], "type": "1", "receipt": "AU-r", "imageUrl": "https://example.com/a.gif",
      "relatedEntityType": "goal", "relatedEntityId": "7",
    ]
    let shown = try await show(userInfo, try http.configuration())
    #expect(shown == "Title 3 goal:7 GIF89a")
    #expect(http.sent.contains(#"POST /api/v1/receipts/AU-r {"event":"displayed"}"#))
  }

  @Test func `without a network the push is shown without its image`() async throws {
    http.goOffline()
    let userInfo: [AnyHashable: Any] = ["type": "1", "receipt": "AU-r", "imageUrl": "https://example.com/a.gif"]
    #expect(try await show(userInfo, try http.configuration()) == "Title - - -")
    #expect(try await show(["other": "1"], nil) == "Title - - -")
  }

  /// What the extension gives to be shown. It has a thread of its own, as iOS gives it.
  private func show(_ userInfo: [AnyHashable: Any], _ configuration: BelfryConfiguration?) async throws -> String {
    let data = try JSONSerialization.data(withJSONObject: userInfo)
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let content = UNMutableNotificationContent()
        content.title = "Title"
        content.userInfo = ((try? JSONSerialization.jsonObject(with: data)) as? [AnyHashable: Any]) ?? [:]
        let request = UNNotificationRequest(identifier: "one", content: content, trigger: nil)
        NotificationService(configuration).didReceive(request) { shown in
          let image = shown.attachments.first.flatMap { try? String(contentsOf: $0.url, encoding: .utf8) }
          let parts = [shown.title, shown.badge.map { "\($0)" }, shown.threadIdentifier, image]
          continuation.resume(
            returning: parts.map { $0.flatMap { $0.isEmpty ? nil : $0 } ?? "-" }.joined(separator: " ")
          )
        }
      }
    }
  }
}
