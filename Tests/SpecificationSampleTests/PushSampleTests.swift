import BelfryClient
import Foundation
import Testing

@testable import AllowanceTrackerPushSample

/// `NotificationViewModel` over its `APIService`, against a gateway that answers as told.
@Suite @MainActor struct PushSampleTests {
  private let server = ScriptedServer()
  private let path = "/api/v1/notifications"

  private func viewModel() -> NotificationViewModel {
    NotificationViewModel(apiService: APIService(baseURL: "http://gateway.test", token: { _ in "token" }, http: server))
  }

  @Test func `a notification that the app cannot show does not lose the page`() async {
    let ids = [UUID(), UUID(), UUID()]
    let list = [
      Answers.notification(ids[0], second: 3), Answers.notification(ids[1], type: 999, second: 2),
      Answers.notification(ids[2], type: 20, second: 1),
    ]
    server.answer("GET \(path)", Answers.page(list, unread: 3))
    let model = viewModel()
    await model.loadNotifications()
    #expect(model.errorMessage == nil)
    #expect(model.notifications.map(\.id) == [ids[0], ids[2]])
    #expect(model.notifications.map(\.type) == [.allowanceDeposit, .goalProgress])
    #expect(model.unreadCount == 3 && !model.hasMore && !model.isLoading)
  }

  @Test func `the next page lists nothing twice, and after the last one nothing is asked`() async {
    let (first, second) = (UUID(), UUID())
    server.answer("GET \(path)", Answers.page([Answers.notification(first, second: 2)], unread: 2, hasMore: true))
    let model = viewModel()
    await model.loadNotifications()
    let moved = [Answers.notification(first, second: 2), Answers.notification(second, second: 1)]
    server.answer("GET \(path)", Answers.page(moved, unread: 2))
    await model.loadNotifications()
    #expect(model.notifications.map(\.id) == [first, second])
    await model.loadNotifications()
    #expect(server.requests.count == 2)
  }

  @Test func `what is read is read once, and all of it at once`() async {
    let ids = [UUID(), UUID()]
    server.answer("GET \(path)", Answers.page(ids.map { Answers.notification($0) }, unread: 2))
    let line = "PATCH \(path)/\(ids[0].uuidString.lowercased())/read"
    server.answer(line, Answers.notification(ids[0], isRead: true))
    server.answer("POST \(path)/read", #"{"markedCount":1}"#)
    let model = viewModel()
    await model.loadNotifications()
    await model.markAsRead(model.notifications[0])
    #expect(model.notifications[0].isRead && model.notifications[0].readAt != nil && model.unreadCount == 1)
    await model.markAsRead(model.notifications[0])
    #expect(server.requests(line).count == 1 && model.unreadCount == 1)
    await model.markAllAsRead()
    let isAllRead = model.notifications.allSatisfy(\.isRead)
    #expect(isAllRead && model.unreadCount == 0)
    #expect(server.requests("POST \(path)/read").first?.body == "{}")
  }

  @Test func `a refusal is shown, and the list stays`() async {
    server.answer("GET \(path)", Answers.page([Answers.notification(UUID())], unread: 1))
    let model = viewModel()
    await model.loadNotifications()
    await model.markAsRead(model.notifications[0])
    #expect(model.errorMessage?.contains("notFound") == true)
    #expect(model.notifications.count == 1 && model.unreadCount == 1)
  }

  @Test func `a refused token is asked for once again`() async {
    server.answer("GET \(path)/preferences", status: 401, "{}")
    let reasons = AsyncStream<TokenReason>.makeStream()
    let token: TokenProvider = { reason in
      reasons.continuation.yield(reason)
      return "token"
    }
    let model = NotificationViewModel(
      apiService: APIService(baseURL: "http://gateway.test", token: token, http: server)
    )
    await model.loadPreferences()
    reasons.continuation.finish()
    var asked: [TokenReason] = []
    for await reason in reasons.stream { asked.append(reason) }
    #expect(asked == [.needed, .refused])
    #expect(server.requests.count == 2 && model.preferences == nil && model.errorMessage != nil)
  }

  @Test func `a token is registered with the name of the device`() async {
    server.answer("POST /api/v1/devices", Answers.device)
    let model = viewModel()
    await model.registerDeviceToken("fMEP0vJ5:APA91bH")
    #expect(model.errorMessage == nil)
    let body = server.requests.first?.json
    #expect(body?["token"] as? String == "fMEP0vJ5:APA91bH" && body?["platform"] as? Int == 1)
    #expect(body?["deviceName"] as? String == "iPhone")
  }

  // MARK: Live

  private func arrival(_ second: Int, type: Int = 10, isRead: Bool = false, archived: Date? = nil, id: UUID = UUID())
    -> BelfryNotification
  {
    BelfryNotification(
      id: id,
      seq: Int64(second),
      type: type,
      typeName: "T\(type)",
      title: "New",
      body: "Body",
      createdAt: Date(timeIntervalSince1970: 1_795_239_840 + Double(second)),
      isRead: isRead,
      archivedAt: archived
    )
  }

  @Test func `what arrives is put where it belongs, once, and what goes is taken out`() async {
    let model = viewModel()
    let (first, second) = (arrival(1), arrival(2))
    for notification in [first, second, first] { await model.take(.changed(notification)) }
    #expect(model.notifications.map(\.id) == [second.id, first.id])
    await model.take(.changed(arrival(1, isRead: true, id: first.id)))
    #expect(model.notifications.map(\.isRead) == [false, true])
    await model.take(.changed(arrival(3, type: 999)))
    #expect(model.notifications.count == 2)
    await model.take(.changed(arrival(2, archived: Date(), id: second.id)))
    await model.take(.removed(first.id))
    #expect(model.notifications.isEmpty)
  }

  @Test func `a change of a page that was not loaded waits for that page`() async {
    server.answer("GET \(path)", Answers.page([Answers.notification(UUID(), second: 30)], unread: 9, hasMore: true))
    let model = viewModel()
    await model.loadNotifications()
    await model.take(.changed(arrival(-60)))
    #expect(model.notifications.count == 1)
  }
}
