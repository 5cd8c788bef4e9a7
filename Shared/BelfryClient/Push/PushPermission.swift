/// Asks for permission to show notifications, in the app's own words first, and keeps what was answered.
///
/// ```swift
/// if try await permission.current().canPrime {
///   try await permission.prime()                  // show why, with "Turn on" and "Not now"
///   try await permission.ask()                    // after "Turn on"; permission.postpone() after "Not now"
/// }
/// ```
public actor PushPermission {
  private static let name = "permission"

  private let center: any SystemNotifications
  private let store: any PushStore
  private let clock: any ClientClock
  private let report: @Sendable (DevicePermission) async throws -> Void
  private var record: PermissionRecord?

  /// - Parameters:
  ///   - center: Asks the user.
  ///   - store: Where the answer is kept. It is the device's, and stays at sign-out.
  ///   - clock: Tells when it was.
  ///   - report: Gets what is for the statistics: ``PushRegistration/report(_:)``. What it throws is not looked at.
  public init(
    _ center: any SystemNotifications,
    store: any PushStore,
    clock: any ClientClock = SystemClock(),
    report: @escaping @Sendable (DevicePermission) async throws -> Void = { _ in }
  ) {
    self.center = center
    self.store = store
    self.clock = clock
    self.report = report
  }

  /// How far it is by now: the user may have changed it in Settings.
  ///
  /// - Throws: ``BelfryError`` `unavailable` where what was kept cannot be read or written now; so do the others.
  @discardableResult
  public func current() async throws -> PermissionRecord {
    let permission = await center.permission()
    // The question is on the screen: its answer comes from there.
    if try await kept().state == .asked, permission == .notDetermined, isAsking { return try await kept() }
    return try await take(.system(permission))
  }

  /// The app shows its own words now.
  ///
  /// - Throws: ``BelfryError`` `invalid` if the user has answered already.
  public func prime() async throws {
    try await take(.primed)
  }

  /// The user does not want to be asked now.
  public func postpone() async throws {
    try await take(.postponed)
  }

  /// Has the system ask, and gives the answer.
  ///
  /// - Throws: ``BelfryError`` `invalid` unless ``prime()`` came before; what the system throws.
  @discardableResult
  public func ask() async throws -> PermissionRecord.State {
    try await ask(.asked, quietly: false)
  }

  /// Lets notifications come quietly, without a question; the app can still ``prime()`` and ``ask()`` later.
  @discardableResult
  public func askQuietly() async throws -> PermissionRecord.State {
    try await ask(.askedQuietly, quietly: true)
  }

  private var isAsking = false

  private func ask(_ event: PermissionRecord.Event, quietly: Bool) async throws -> PermissionRecord.State {
    try await take(event)
    isAsking = true
    defer { isAsking = false }
    if !quietly { try? await report(.requested) }
    do {
      _ = try await center.requestPermission(quietly: quietly)
    } catch {
      _ = try? await take(.system(await center.permission()))
      throw error
    }
    let state = try await take(.system(await center.permission())).state
    if !quietly, state == .granted || state == .denied { try? await report(state == .granted ? .granted : .denied) }
    return state
  }

  @discardableResult
  private func take(_ event: PermissionRecord.Event) async throws -> PermissionRecord {
    let before = try await kept()
    var after = before
    guard after.take(event, now: clock.now) else {
      throw BelfryError(.invalid, detail: "The permission is \(before.state.rawValue): that does not follow.")
    }
    record = after
    if after != before { try await store.write(after, Self.name) }
    return after
  }

  private func kept() async throws -> PermissionRecord {
    if let record { return record }
    let kept = try await store.read(Self.name, as: PermissionRecord.self) ?? PermissionRecord()
    // Another call may have been faster.
    let record = record ?? kept
    self.record = record
    return record
  }
}
