import BelfryClient
import Foundation
import Observation

/// Pushes of the signed-in user: whether they may come, where they come, what is shown of them.
@MainActor
@Observable
final class Pushes {
  /// What only the system can do. In memory for previews and tests.
  struct System {
    var center: any SystemNotifications
    /// Has the system ask APNs for a token, which comes to ``Pushes/take(_:)``.
    var askForToken: @MainActor () -> Void
    /// Keeps pushes off this device from now on.
    var stop: @MainActor () -> Void
  }

  /// After how many times "not now" the app does not ask any more, and how long it waits before it asks again.
  private static let (mostPostponements, patience) = (3, 7 * 86_400.0)

  /// Whether the app's own words are to be on the screen.
  private(set) var isAsking = false
  /// Nil before the system was asked.
  private(set) var permission: PermissionRecord.State?
  /// The UUID that this app has on this device.
  private(set) var installation: UUID?
  /// Why the last registration failed; the next start, or the next time in front, tries again.
  private(set) var error: BelfryError?

  @ObservationIgnored private let client: BelfryClient
  @ObservationIgnored private let system: System
  @ObservationIgnored private let asking: PushPermission
  @ObservationIgnored private let registration: PushRegistration
  @ObservationIgnored private let clock: any ClientClock

  init(
    _ client: BelfryClient,
    system: System,
    store: any PushStore,
    app: PushApp = PushApp(),
    clock: any ClientClock = SystemClock()
  ) {
    self.client = client
    self.system = system
    self.clock = clock
    let registration = PushRegistration(client, app: app, store: store)
    self.registration = registration
    asking = PushPermission(system.center, store: store, clock: clock) { try await registration.report($0) }
  }

  /// After a sign-in and at each start. Returns when the user has signed out, or the task is cancelled: what was read elsewhere goes from
  /// the system's list until then.
  func run() async {
    await cameToFront()
    // Catalogues change. Without an answer iOS keeps the buttons that it has.
    try? await client.registerCategories(in: system.center, locale: Locale.preferredLanguages.first)
    await DeliveredSweep(client, in: system.center).run()
  }

  /// Sends what was left behind offline, asks for a token, and asks the user if it is time to.
  func cameToFront() async {
    installation = try? await registration.installation
    try? await registration.sendPending()
    guard let record = try? await asking.current() else { return }
    permission = record.state
    system.askForToken()
    guard Self.isTimeToAsk(record, now: clock.now) else { return }
    do {
      try await asking.prime()
      isAsking = true
    } catch {}
  }

  /// The user wants pushes: now the system asks.
  func turnOn() async {
    isAsking = false
    permission = (try? await asking.ask()) ?? permission
  }

  func notNow() async {
    guard isAsking else { return }
    isAsking = false
    try? await asking.postpone()
  }

  /// A token of APNs. An app with Firebase's SDK registers `.fid` or `.fcmToken` in its place.
  func take(_ token: Data) async {
    await register(.apns(token))
  }

  func register(_ address: PushAddress) async {
    do {
      try await registration.register(address)
      error = nil
    } catch {
      self.error = error as? BelfryError ?? BelfryError(.unavailable)
    }
  }

  /// Deletes this app's device, and signs the client out.
  func signOut() async {
    system.stop()
    await registration.signOut()
  }

  /// The user was not asked yet, or said "not now" neither often nor lately.
  static func isTimeToAsk(_ record: PermissionRecord, now: Date) -> Bool {
    guard record.canPrime, record.postponements < mostPostponements else { return false }
    return record.postponedAt.map { now.timeIntervalSince($0) >= patience } ?? true
  }
}
