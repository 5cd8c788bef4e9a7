import BelfryClient
import BelfryClientTesting
import Foundation
import Testing

@testable import AppSample

/// The system's notification centre, and what the app asked of it.
actor FakeSystem: SystemNotifications {
  private var status = SystemPermission.notDetermined
  private let answer: SystemPermission
  /// How often the system's question was shown.
  private(set) var questions = 0
  private(set) var categories: [PushCategory] = []
  private(set) var shown: [DeliveredNotification] = []

  init(answer: SystemPermission = .authorized) {
    self.answer = answer
  }

  func show(_ id: BelfryNotification.ID) {
    shown.append(DeliveredNotification(identifier: id.uuidString, notification: id))
  }

  func permission() -> SystemPermission { status }

  func requestPermission(quietly: Bool) -> Bool {
    questions += 1
    status = answer
    return answer == .authorized
  }

  func delivered() -> [DeliveredNotification] { shown }

  func remove(_ identifiers: [String]) {
    shown.removeAll { identifiers.contains($0.identifier) }
  }

  func setBadge(_ count: Int) {}

  func register(_ categories: [PushCategory]) {
    self.categories = categories
  }
}

/// An app with a server in memory.
@MainActor
final class TestApp {
  let clock = TestClock()
  let server: InMemoryServer
  let system: FakeSystem
  let store = MemoryCredentialStore()
  let pushSystem: Pushes.System
  let session: AppSession
  /// What was asked of iOS: `ask` for a token of APNs, `stop` pushes.
  let calls = Calls()

  init(_ notifications: [BelfryNotification] = [], system: FakeSystem = FakeSystem()) {
    let server = InMemoryServer(notifications, clock: clock)
    let calls = calls
    self.server = server
    self.system = system
    pushSystem = Pushes.System(
      center: system,
      askForToken: { calls.names.append("ask") },
      stop: { calls.names.append("stop") }
    )
    session = AppSession(store, system: pushSystem) { _ in server.configuration() }
  }

  @MainActor
  final class Calls {
    var names: [String] = []
  }

  /// Signs in, and gives the account.
  func signIn() async throws -> Account {
    try await session.signIn(SignInForm(gateway: "https://belfry.test", token: await server.token()))
    return try #require(session.account)
  }

  /// Time passes until this is so.
  func settles(_ condition: @MainActor () async -> Bool) async -> Bool {
    await clock.advance { await condition() }
  }
}
