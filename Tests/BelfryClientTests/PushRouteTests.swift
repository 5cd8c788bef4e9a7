import BelfryClientTesting
import Foundation
import Testing

@testable import BelfryClient

struct PushRouteTests {
  private let clock = TestClock()

  /// As `APNsMessage` writes it; by FCM the same members come, and Firebase's own.
  private let userInfo: [AnyHashable: Any] = [
    "aps": ["alert": ["title": "T", "body": "B"], "category": "GoalProgress", "thread-id": "goal:7"],
    "amount": "12", "conversationId": "c-1", "deepLink": "app://goals/7", "notificationId": notificationID(3).wireText,
    "type": "20", "relatedEntityType": "goal", "relatedEntityId": "7", "receipt": "AU-r",
    "gcm.message_id": "1", "google.c.sender.id": "2",
  ]

  @Test func `a tap leads where the push is about`() throws {
    let route = try #require(
      PushRoute(userInfo: userInfo, actionIdentifier: "com.apple.UNNotificationDefaultActionIdentifier")
    )
    #expect(route.notification == notificationID(3))
    #expect(route.type == 20)
    #expect(route.action == .open)
    #expect(route.relatedEntity == RelatedEntity(type: "goal", id: "7"))
    #expect(route.conversationId == "c-1")
    #expect(route.deepLink?.absoluteString == "app://goals/7")
    #expect(route.receipt == "AU-r")
    #expect(route.data == ["amount": "12", "conversationId": "c-1", "deepLink": "app://goals/7"])
  }

  @Test func `a button and a dismissal are told apart`() {
    #expect(PushRoute(userInfo: userInfo, actionIdentifier: "VIEW_GOALS")?.action == .button("VIEW_GOALS"))
    #expect(
      PushRoute(userInfo: userInfo, actionIdentifier: "com.apple.UNNotificationDismissActionIdentifier")?.action
        == .dismiss
    )
  }

  @Test func `a conversation may be the related entity`() {
    let route = PushRoute(userInfo: ["type": "1", "relatedEntityType": "Conversation", "relatedEntityId": "c-9"])
    #expect(route?.conversationId == "c-9")
    #expect(PushRoute(userInfo: ["type": "1"])?.conversationId == nil)
  }

  @Test func `what is no push of Belfry's has no route, and odd members are left out`() {
    #expect(PushRoute(userInfo: [:]) == nil)
    #expect(PushRoute(userInfo: ["type": "chat", "notificationId": notificationID(1).wireText]) == nil)
    var odd: [AnyHashable: Any] = ["type": "1", "notificationId": "7", "relatedEntityType": "a", "receipt": 3, "n": 4]
    odd["long"] = String(repeating: "x", count: 5_000)
    odd["deepLink"] = "no scheme"
    let route = PushRoute(userInfo: odd)
    #expect(route?.notification == nil)
    #expect(route?.relatedEntity == nil)
    #expect(route?.receipt == nil)
    #expect(route?.data == ["deepLink": "no scheme"])
    #expect(route?.deepLink == nil)
    var many: [AnyHashable: Any] = ["type": "1"]
    for number in 0..<1_000 { many["m\(number)"] = "" }
    #expect(PushRoute(userInfo: many)?.data.count == 64)
  }

  // MARK: Reporting

  private func report(_ identifier: String?, without: String? = nil, _ answer: HTTPResponse?) async throws -> [String] {
    var userInfo = userInfo
    if let without { userInfo[without] = nil }
    let route = try #require(PushRoute(userInfo: userInfo, actionIdentifier: identifier))
    let http = ScriptedHTTP { request in
      if request.url.path().contains("/receipts/") { return try answer ?? { throw BelfryError(.offline) }() }
      return HTTPResponse(status: 204)
    }
    let client = BelfryClient(try testConfiguration(http, clock: clock)) { _ in "token" }
    await client.report(route)
    // What goes by the inbox is on its way.
    _ = await settles(2_000) { http.sent.last?.url.path().contains("/notifications/") == true }
    await client.signOut()
    return http.sent.map { "\($0.url.path().dropFirst(8)) \($0.text)\($0.token.map { " by " + $0 } ?? "")" }
  }

  @Test func `a tap is reported by its receipt, without a token`() async throws {
    let done = HTTPResponse(status: 204)
    #expect(try await report(nil, done) == [#"receipts/AU-r {"event":"opened"}"#])
    #expect(try await report("VIEW_GOALS", done) == [#"receipts/AU-r {"event":"opened","action":"VIEW_GOALS"}"#])
    #expect(try await report(PushRoute.dismissIdentifier, done).isEmpty)
  }

  @Test func `without a receipt, or with one that is not taken, the inbox reports it`() async throws {
    let path = "notifications/\(notificationID(3).wireText)"
    #expect(try await report(nil, without: "receipt", nil) == ["\(path)/opened  by token"])
    #expect(try await report("VIEW_GOALS", without: "receipt", nil) == ["\(path)/actions/VIEW_GOALS  by token"])
    #expect(try await report(nil, HTTPResponse(status: 404)).last == "\(path)/opened  by token")
    #expect(try await report("VIEW_GOALS", nil).last == "\(path)/actions/VIEW_GOALS  by token")
  }

  @Test func `a push about what is on the screen is not shown`() async throws {
    let client = BelfryClient(InMemoryServer(clock).configuration()) { _ in "token" }
    let route = try #require(PushRoute(userInfo: userInfo))
    #expect(await client.isToBeShown(route))
    await client.startViewing(RelatedEntity(type: "goal", id: "7"))
    #expect(await client.isToBeShown(route) == false)
    let other = try #require(PushRoute(userInfo: ["type": "1"]))
    #expect(await client.isToBeShown(other))
  }
}
