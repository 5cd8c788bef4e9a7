import BelfryClient
import BelfryClientTesting
import Foundation
import Testing

/// The server in memory as a client has it. That its answers have the gateway's shapes is tested beside the gateway.
struct InMemoryServerTests {
  private let clock = TestClock()
  private let server: InMemoryServer
  /// Held as long as a test runs: without it nothing is asked any more.
  private let client: BelfryClient
  private var rest: RESTClient { client.rest }

  init() {
    server = InMemoryServer(clock: clock)
    client = server.client()
  }

  @Test func `each user has an inbox of their own`() async throws {
    let (anna, ben) = (client, server.client(for: "ben"))
    await anna.connect()
    await ben.connect()
    #expect(await clock.advance { await server.connections() == 2 })
    let sent = await server.deliver(title: "For Ben", data: ["goal": "Bike", "percent": 80], to: "ben")
    #expect(await clock.advance { await ben.unreadCount == 1 })
    #expect(await anna.unreadCount == 0)
    struct Goal: Decodable, Equatable {
      let goal: String
      let percent: Int
    }
    let received = try await ben.rest.getNotification(sent.id)
    #expect(try received.payload(as: Goal.self) == Goal(goal: "Bike", percent: 80))
    #expect(received.data == #"{"goal":"Bike","percent":"80"}"#)
    await #expect(throws: BelfryError.self) { try await anna.rest.getNotification(sent.id) }
    #expect(await server.connections(of: "ben") == 1)
    await server.cutLine(of: "ben")
    #expect(await server.connections(of: "anna") == 1)
  }

  @Test func `what is delivered later comes in its time`() async {
    await client.connect()
    server.deliver(.preview("Later"), after: .seconds(90))
    await clock.advance(by: .seconds(89))
    #expect(await client.unreadCount == 0)
    #expect(await clock.advance(upTo: .seconds(2)) { await client.unreadCount == 1 })
    #expect(await server.inbox().first?.createdAt == clock.now)
  }

  @Test func `faults count down, and a later one comes first`() async throws {
    await server.fail(next: 2, with: .status(503, retryAfter: .seconds(7)))
    await server.fail(next: 1, with: .timeout) { $0.method == "GET" }
    var codes: [BelfryError.Code] = []
    for _ in 0..<4 {
      do { _ = try await rest.getUnreadCount() } catch let error as BelfryError { codes.append(error.code) }
    }
    #expect(codes == [.timeout, .unavailable, .unavailable])
    await server.fail(with: .foreignAnswer)
    await #expect(throws: BelfryError(.malformed, status: 200)) { try await rest.getUnreadCount() }
    await server.respond { $0.method == "PATCH" ? HTTPResponse(status: 418) : nil }
    await #expect(throws: BelfryError.self) { try await rest.markNotificationRead(UUID()) }
    await server.recover()
    #expect(try await rest.getUnreadCount().count == 0)
  }

  @Test func `a lost answer is one to something that was done`() async throws {
    let item = await server.deliver()
    await server.fail(next: 1, with: .lostAnswer)
    await #expect(throws: BelfryError.self) { try await rest.markNotificationRead(item.id) }
    #expect(await server.notification(item.id)?.isRead == true)
  }

  @Test func `a slow server is waited for, and one that is too slow is a timeout`() async throws {
    await server.delay(.seconds(10))
    let slow = Task { try await client.rest.getUnreadCount().count }
    await clock.advance(by: .seconds(10))
    #expect(try await slow.value == 0)
    await server.delay(.seconds(60))
    let late = Task { try await client.rest.getUnreadCount().count }
    await clock.advance(by: .seconds(15))
    await #expect(throws: BelfryError(.timeout)) { try await late.value }
  }

  @Test func `an expired token is refused, and the next one taken`() async throws {
    await client.connect()
    #expect(await clock.advance { await server.connections() == 1 })
    await server.expireTokens()
    #expect(await server.connections() == 0)
    #expect(try await client.rest.getUnreadCount().count == 0)
    #expect(await clock.advance { await server.connections() == 1 })
    #expect(await server.requests.contains { $0.url.path().hasSuffix("/negotiate") })
  }

  @Test func `what is snoozed comes back in its time, unread`() async throws {
    let item = await server.deliver()
    await server.readElsewhere(item.id)
    _ = try await client.rest.snoozeNotification(item.id, until: clock.now.addingTimeInterval(3_600))
    #expect(await server.inbox() == [])
    #expect(await server.inbox(place: .snoozed).map(\.id) == [item.id])
    await clock.advance(by: .seconds(3_601))
    #expect(await server.inbox().map(\.isRead) == [false])
    await #expect(throws: BelfryError.self) {
      try await client.rest.snoozeNotification(item.id, until: clock.now.addingTimeInterval(-1))
    }
  }

  @Test func `preferences are chosen on three levels, and a version is changed once`() async throws {
    let before = try await rest.getPreferences()
    var update = PreferencesUpdate()
    update.types[21] = .init(push: false)
    var shown = try await rest.updatePreferences(update, ifMatch: before.etag)
    func push(_ type: Int) -> Bool? { shown.types.first { $0.type == type }?.switches.push }
    #expect((push(20), push(21)) == (true, false))
    #expect(shown.categories.first { $0.category == "Goals & Savings" }?.mixed == ["push"])
    await #expect(throws: BelfryError.self) { try await rest.updatePreferences(update, ifMatch: before.etag) }
    update = PreferencesUpdate()
    update.categories["Goals & Savings"] = .init(push: true)
    update.settings["minimumBalance"] = .set(25)
    shown = try await rest.updatePreferences(update)
    #expect((push(20), push(21)) == (true, true))
    #expect(shown.settings == ["minimumBalance": 25])
    update = PreferencesUpdate()
    update.types[9_999] = .init(push: false)
    let error = await #expect(throws: BelfryError.self) { try await rest.updatePreferences(update) }
    #expect(error?.problem?.errors.map(\.field) == ["preferences[0].notificationType"])
    #expect(
      try await rest.updateQuietHours(.init(isEnabled: true, start: "22:00", end: "07:00")).quietHoursEnd == "07:00:00"
    )
    await #expect(throws: BelfryError.self) { try await rest.updateQuietHours(.init(isEnabled: true, end: "22:00")) }
  }

  @Test func `one address of each installation gets pushes`() async throws {
    let phone = UUID()
    _ = try await rest.registerDevice(DeviceRegistration(.token("a"), installationId: phone))
    let second = try await rest.registerDevice(DeviceRegistration(.fid("b"), installationId: phone))
    #expect(try await rest.listDevices().map(\.isActive) == [true, false])
    #expect(await server.deviceAddresses() == ["b"])
    try await rest.reportDevicePermission(.granted, device: second.id)
    let ben = server.client(for: "ben")
    try await ben.rest.deleteCurrentDevice(address: "b")
    await ben.signOut()
    #expect(await server.deviceAddresses() == ["b"])
    try await rest.deleteCurrentDevice(address: "b")
    #expect(try await rest.listDevices() == [])
    let native = NativeDeviceToken(Data(repeating: 0xAB, count: 32))
    await #expect(throws: BelfryError.self) { try await rest.registerNativeDeviceToken(native, userId: "ben") }
    #expect(try await rest.registerNativeDeviceToken(native, userId: "anna").kind == "apns")
  }

  @Test func `more changes than are kept are said to be missing`() async throws {
    let items = await server.deliver(count: 120)
    await server.readElsewhere(items[0].id)
    let first = try await rest.listChanges(since: 120)
    #expect(first.isComplete && first.changed.map(\.id) == [items[0].id])
    await server.readAllElsewhere()
    let second = try await rest.listChanges(since: 120, change: first.change)
    #expect(!second.isComplete && second.unreadCount == 0)
    await server.deleteElsewhere(items[1].id)
    let third = try await rest.listChanges(since: 120, change: second.change)
    #expect(third.isComplete && third.deleted == [items[1].id])
  }

  @Test @MainActor func `models of previews fill themselves`() async {
    let center = NotificationCenterModel.preview()
    let (preferences, devices) = (PreferencesModel.preview(), DevicesModel.preview())
    #expect(
      await settles {
        center.unreadCount == 3 && center.notifications.count == 5 && preferences.preferences != nil
          && devices.devices.count == 1
      }
    )
    #expect(center.notifications.map(\.title) == BelfryNotification.previews.map(\.title))
    await center.markAllAsRead()
    #expect(center.unreadCount == 0)
  }
}
