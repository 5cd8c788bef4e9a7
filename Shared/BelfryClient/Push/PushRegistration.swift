public import Foundation

/// Registers this app for pushes, and takes that back when the user signs out.
///
/// ```swift
/// let registration = PushRegistration(client, app: PushApp(appVersion: "1.4"))
/// try await registration.register(.apns(deviceToken))   // at each start, and whenever the system gives another one
/// await registration.signOut()                          // in place of client.signOut()
/// ```
///
/// One for an app: it changes what is kept alone.
public actor PushRegistration {
  /// For how long a sign-out waits for the server.
  private static let patience = Duration.seconds(5)

  private let client: BelfryClient
  private let app: PushApp
  private let store: any PushStore
  private let clock: any ClientClock
  /// The calls of a user who has signed out meanwhile, with that user's last token: in memory alone.
  private var former: (user: String?, rest: RESTClient)?
  private var isBusy = false
  /// How many sign-outs are on their way: whatever else is at work ends.
  private var leaving = 0
  private var stopWork: (@Sendable () -> Void)?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - client: Whose user is registered.
  ///   - app: What registrations say of the app.
  ///   - store: Where it is kept; nil: in files in the configuration's `cacheDirectory`. Without a folder each start is a new installation.
  public init(_ client: BelfryClient, app: PushApp = PushApp(), store: (any PushStore)? = nil) {
    self.client = client
    self.app = app
    self.store = store ?? defaultPushStore(client.configuration)
    clock = client.configuration.clock
  }

  /// The UUID that all registrations of this app on this device have. Source: `InstallationId` of `openapi.yaml`.
  ///
  /// - Throws: ``BelfryError`` `unavailable` where it cannot be read or written now.
  public var installation: UUID {
    get async throws {
      await enter()
      defer { leave() }
      return try await record().installation
    }
  }

  /// Registers an address of the signed-in user, if anything of it changed: address, app version, name, user, gateway. Says whether it was
  /// sent. What a user left behind offline is deleted first.
  ///
  /// - Parameters:
  ///   - address: As the system or Firebase's SDK gives it.
  ///   - user: The user's id, where the app's tokens do not say it. Needed for APNs alone.
  /// - Throws: ``BelfryError``: it is not registered, call it again; `ended` where the user signs out.
  @discardableResult
  public func register(_ address: PushAddress, user: String? = nil) async throws -> Bool {
    try address.check()
    return try await working { try await $0.registering(address, user) }
  }

  private func registering(_ address: PushAddress, _ user: String?) async throws -> Bool {
    let session = client.session
    try await askForToken(session)
    let owner = await session.tokens.user
    let user = user ?? owner
    var record = try await record()
    // Somebody else signed in without a sign-out.
    if record.user != user { record.leave(now: clock.now) }
    try await deletePending(&record, of: user, by: session.rest)
    let content = app.content(of: address, user: user, gateway: client.configuration.gateway)
    let isDue = record.isDue(address.kind, content, now: clock.now, refresh: app.refresh)
    if isDue {
      record.begin(address, content, user: user, now: clock.now)
      try await store.write(record, RegistrationRecord.name)
      let device = try await session.rest.register(address, of: app, user: user, installation: record.installation)
      record.finish(address, device: device.id)
      try await store.write(record, RegistrationRecord.name)
    }
    try await reportPermissions(&record, by: session.rest)
    return isDue
  }

  /// Deletes this app's devices of the user, then signs out. Offline the deletion is kept, see ``sendPending()``. Says whether the server
  /// has deleted them.
  ///
  /// The app should also call `unregisterForRemoteNotifications()`: then this device shows no push, whatever the server knows.
  @discardableResult
  public func signOut() async -> Bool {
    leaving += 1
    stopWork?()
    await enter()
    defer { leave() }
    defer { leaving -= 1 }
    let session = client.session
    var isDone = false
    do {
      var record = try await record()
      let user = record.user
      record.leave(now: clock.now)
      // First: the app may be ended before the server answers.
      try await store.write(record, RegistrationRecord.name)
      if record.isDeletionPending(of: user) {
        former = (user, session.rest)
        let (installation, rest) = (record.installation, session.rest)
        try await within(Self.patience, of: clock) { try await Self.delete(installation, by: rest) }
        try await finishDeletion(&record, of: user)
      }
      isDone = true
    } catch {
      session.outlets.errors.send(error as? BelfryError ?? BelfryError(.unavailable))
    }
    await client.signOut()
    return isDone
  }

  /// Deletes what was left behind offline: call it when the network is back, or the app comes to the front.
  ///
  /// Whose token deletes it? The gateway lets a user delete that user's own devices alone, and this client keeps no token on disk. So:
  /// - As long as the process lives, the user's last token serves, until it expires.
  /// - Later, that user's next token does: the deletion then comes before the new registration.
  /// - If another user registers the same address, it moves to that user, and nothing is left to delete.
  /// - If nobody signs in any more, the device stays registered until its provider reports the address gone. What keeps pushes off its screen is
  ///   `unregisterForRemoteNotifications()`.
  ///
  /// It is done by the installation, not by the address: the address is a secret, so it is not kept, and another one may have taken its place.
  public func sendPending() async throws {
    try await working { try await $0.sendingPending() }
  }

  private func sendingPending() async throws {
    var record = try await record()
    if record.deletions.isEmpty { return }
    if let former {
      do {
        try await deletePending(&record, of: former.user, by: former.rest)
      } catch let error as BelfryError where !error.isTemporary {
        // The token has expired: it waits for that user's next one.
        self.former = nil
      }
    }
    if record.deletions.isEmpty { return }
    let session = client.session
    try await askForToken(session)
    try await deletePending(&record, of: await session.tokens.user, by: session.rest)
  }

  /// What the user answered when the system asked: reported at once, or with the next registration.
  public func report(_ permission: DevicePermission) async throws {
    try await working { try await $0.reporting(permission) }
  }

  private func reporting(_ permission: DevicePermission) async throws {
    var record = try await record()
    record.answer(permission)
    try await store.write(record, RegistrationRecord.name)
    try await reportPermissions(&record, by: client.rest)
  }

  // MARK: What is kept

  private func record() async throws -> RegistrationRecord {
    if let kept = try await store.read(RegistrationRecord.name, as: RegistrationRecord.self) { return kept }
    let record = RegistrationRecord()
    try await store.write(record, RegistrationRecord.name)
    return record
  }

  // MARK: Calls

  private func deletePending(_ record: inout RegistrationRecord, of user: String?, by rest: RESTClient) async throws {
    guard record.isDeletionPending(of: user) else { return }
    try await Self.delete(record.installation, by: rest)
    try await finishDeletion(&record, of: user)
  }

  private func finishDeletion(_ record: inout RegistrationRecord, of user: String?) async throws {
    record.deleted(user: user)
    if former?.user == user { former = nil }
    try await store.write(record, RegistrationRecord.name)
  }

  /// Deletes the user's devices of an installation; those that are gone already are no failure.
  private static func delete(_ installation: UUID, by rest: RESTClient) async throws {
    for device in try await rest.listDevices() where device.installationId == installation {
      do {
        try await rest.deleteDevice(device.id)
      } catch let error as BelfryError where error.code == .notFound {}
    }
  }

  private func reportPermissions(_ record: inout RegistrationRecord, by rest: RESTClient) async throws {
    guard let device = record.device, !record.permissions.isEmpty else { return }
    for text in record.permissions {
      do {
        if let permission = DevicePermission(rawValue: text) {
          try await rest.reportDevicePermission(permission, device: device)
        }
      } catch let error as BelfryError where error.isTemporary {
        // It is for the statistics alone: the next registration reports it.
        break
      } catch is BelfryError {}
      record.reported(text)
    }
    try await store.write(record, RegistrationRecord.name)
  }

  /// Whoever is cancelled does not wait for the app's closure.
  private func askForToken(_ session: UserSession) async throws {
    _ = try await within(client.configuration.timing.token, of: clock) { try await session.tokens.current() }
  }

  // MARK: One at a time

  /// Does something alone. A sign-out ends it: it must not wait for a slow server.
  private func working<Value: Sendable>(
    _ work: @escaping @Sendable (isolated PushRegistration) async throws -> Value
  ) async throws -> Value {
    await enter()
    defer { leave() }
    if leaving > 0 { throw BelfryError(.ended) }
    let task = Task { try await work(self) }
    stopWork = { task.cancel() }
    defer { stopWork = nil }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch is CancellationError where leaving > 0 {
      throw BelfryError(.ended)
    }
  }

  private func enter() async {
    if isBusy { await withCheckedContinuation { waiting.append($0) } } else { isBusy = true }
  }

  private func leave() {
    if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
  }
}

/// Files where the configuration names a folder.
func defaultPushStore(_ configuration: BelfryConfiguration) -> any PushStore {
  configuration.cacheDirectory.map { FilePushStore(directory: $0) } ?? MemoryPushStore()
}
