import AppleDeclarations
import BelfryClient
import Foundation
import Testing

@testable import LifeSignalSample

/// The client and the feature's state of LifeSignal.
@Suite struct StreamSampleTests {
  private func notification(_ category: String?, data: String?, isRead: Bool = false) -> NotificationData {
    NotificationData(
      BelfryNotification(
        id: UUID(),
        seq: 1,
        type: 220,
        typeName: "ContactRoleChanged",
        category: category,
        title: "Role Changed",
        body: "Ada changed your role to responder",
        data: data,
        createdAt: Date(timeIntervalSince1970: 1_795_239_840),
        isRead: isRead
      )
    )
  }

  @Test(arguments: NotificationType.allCases)
  func `a category is the filter of its name`(_ type: NotificationType) {
    #expect(notification(type.rawValue, data: nil).type == type)
  }

  @Test func `ids come from the data, and another category is listed under All alone`() {
    let role = notification("Roles", data: #"{"contactId":"u-3","userName":"Ada","role":"responder"}"#)
    #expect(role.relatedContactID == "u-3" && role.relatedAlertID == nil && role.relatedPingID == nil)
    #expect(role.contactData == ContactData(contactID: "u-3", name: "Ada", role: "responder"))
    let alert = notification("Alerts", data: #"{"alertId":"a-1","contactId":"u-3","userName":"Ada"}"#)
    #expect(alert.alertData == AlertData(alertID: "a-1", userName: "Ada") && alert.pingData == nil)
    #expect(notification("System", data: "no JSON").type == .all)
    #expect(notification(nil, data: nil).type == .all)
  }

  @Test func `the filters are those of the specification`() {
    var state = NotificationFeature.State()
    let read = notification("Roles", data: nil, isRead: true)
    let unread = [
      notification("Roles", data: nil), notification("Pings", data: nil), notification("System", data: nil),
    ]
    state.isLoading = true
    state.notificationsUpdated([read] + unread)
    #expect(state.unreadCount == 3 && !state.isLoading && state.filteredNotifications.count == 4)
    state.selectedFilter = .role
    #expect(state.filteredNotifications.map(\.id) == [read.id, unread[0].id])
    state.showUnreadOnly = true
    #expect(state.filteredNotifications.map(\.id) == [unread[0].id])
    state.failed(.from(BelfryError(.offline)))
    #expect(state.error?.message.contains("connection") == true && state.notifications.count == 4)
    state.notificationsUpdated([])
    #expect(state.error == nil && state.unreadCount == 0)
  }

  @Test(arguments: BelfryError.Code.allCases)
  func `every error has a sentence for the user`(_ code: BelfryError.Code) {
    let error = UserFacingError.from(BelfryError(code, detail: "secret"))
    #expect(error.message.hasSuffix(".") && !error.message.contains("secret"))
  }

  @Test func `getNotifications reads page after page up to its limit`() async throws {
    let server = ScriptedServer()
    let page = (0..<50).map { _ in Answers.notification(UUID(), type: 220, category: "Roles") }
    server.answer("GET /api/v1/notifications", Answers.page(page, unread: 9, hasMore: true))
    let client = BelfryNotificationClient(
      client: try server.client(),
      userId: UUID().uuidString,
      installationId: UUID()
    )
    #expect(try await client.getNotifications("", limit: 70).count == 70)
    #expect(server.requests.count == 2)
  }

  @Test func `both tokens are registered with the installation, and FCM's is streamed`() async throws {
    let server = ScriptedServer()
    server.answer("POST /api/v1/devices", Answers.device)
    server.answer("POST /api/v1/notifications/device-token", Answers.device)
    let installation = UUID()
    let client = BelfryNotificationClient(client: try server.client(), userId: "u-1", installationId: installation)
    await client.handleDeviceToken(Data([0x0A, 0xFF]))
    var tokens = client.streamFCMTokenUpdates().makeAsyncIterator()
    try await client.handleFCMToken("fMEP0vJ5:APA91bH")
    #expect(await tokens.next() == "fMEP0vJ5:APA91bH")
    #expect(server.requests.map { $0.json["token"] as? String } == ["0aff", "fMEP0vJ5:APA91bH"])
    let installations = Set(server.requests.map { $0.json["installationId"] as? String })
    #expect(installations == [installation.uuidString.lowercased()])
  }

  @Test func `the mock streams what it has, and each change of it`() async throws {
    let mock = MockNotificationClient([notification("Roles", data: nil)])
    var stream = mock.streamNotifications("u-1").makeAsyncIterator()
    let first = try #require(await stream.next()?.first)
    try await mock.markAsRead("u-1", notificationId: first.id)
    #expect(await stream.next()?.map(\.isRead) == [true])
    await mock.receive(notification("Pings", data: nil))
    #expect(await stream.next()?.count == 2)
    try await mock.markAllAsRead("u-1")
    #expect(await stream.next()?.map(\.isRead) == [true, true])
    try await mock.deleteNotification("u-1", notificationId: first.id)
    #expect(await stream.next()?.map(\.type) == [.ping])
    #expect(try await mock.getNotifications("u-1", limit: 1).count == 1)
    #expect(await mock.getAuthorizationStatus() == .notDetermined)
    #expect(try await mock.requestAuthorization())
  }

  @Test func `the switches are the server's categories`() throws {
    var state = NotificationPreferencesFeature.State()
    state.disabled = [.ping]
    let categories = state.update.categories
    #expect(categories.count == 6 && categories["Pings"]?.push == false && categories["Alerts"]?.push == true)
  }
}
