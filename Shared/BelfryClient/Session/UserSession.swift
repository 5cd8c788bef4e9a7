import Foundation

/// Everything about one signed-in user. Signing out ends it as a whole, and with it what is still under way.
///
/// What is decided without I/O is in ``Inbox``, ``InboxQueue`` and ``LiveConnection``; here it is carried out.
actor UserSession {
  let rest: RESTClient
  let tokens: TokenStore
  let live: any LiveTransport
  let clock: any ClientClock
  let timing: ClientTiming
  let jitter: Jitter
  nonisolated let lifetime = Lifetime()
  nonisolated let outlets = Outlets()

  var inbox = Inbox()
  var limits = CallLimits()

  // Operations
  var queue = InboxQueue()
  var lastOperation = 0
  /// Who waits for operations.
  nonisolated let settlements = Locked<[InboxOperation.ID: [Settlement]]>([:])
  var pumping: Task<Void, Never>?
  /// Collected to be sent as seen, and what was sent already.
  var unsentSeen: [UUID] = []
  var sentSeen = RecentIDs(limit: 2_000)

  // Reading lists
  var syncing: Task<Void, Never>?
  var doubting: Task<Void, Never>?
  var syncFailures = 0
  var syncedAt: Date?
  var active = Inbox.main
  var loads: [NotificationFilter: ListLoad] = [:]

  // The live connection
  var hubAddress: URL?
  var connection: LiveConnection
  var connecting: Task<Void, Never>?
  var hub: HubSession?
  var hasAskedToResume = false
  var isResumed = false
  var resting: Task<Void, Never>?
  /// Up to here everything was there before anybody looked.
  var announcedSeq: Int64?
  var viewing: RelatedEntity?
  var viewings = ViewingStack()

  // What is kept on disk
  let cache: (any NotificationCache)?
  var saving: Task<Void, Never>?
  var writing: Task<Void, Never>?
  var lastKept: CachedInbox?

  // Reporting
  private var reporting: Task<Void, Never>?
  private var reportedCount: Int?

  var isStarted = false
  var isRefusalReported = false

  init(_ configuration: BelfryConfiguration, token: @escaping TokenProvider, jitter: Jitter) {
    tokens = TokenStore(token, clock: configuration.clock, limit: configuration.timing.token, lifetime: lifetime)
    rest = RESTClient(configuration, tokens: tokens)
    live = configuration.live
    clock = configuration.clock
    timing = configuration.timing
    cache = configuration.cache ?? configuration.cacheDirectory.map(FileCache.init)
    self.jitter = jitter
    hubAddress = configuration.hub
    connection = LiveConnection(timing: configuration.timing, jitter: jitter)
    tokens.onUnauthorized { [weak self] error in Task { await self?.refuse(error) } }
  }

  deinit {
    abandon()
  }

  /// Nobody holds the client any more: all work and all streams end, and who waits for an operation is told.
  nonisolated func abandon() {
    lifetime.end()
    outlets.finish()
    let waiting = settlements.withLock { settlements in
      defer { settlements = [:] }
      return settlements.values.joined()
    }
    for settlement in waiting { settlement.finish(throwing: BelfryError(.ended)) }
  }

  var isOver: Bool { lifetime.isOver }

  /// Whether nothing is asked of the server by itself.
  var isIdle: Bool { isOver || !isStarted || connection.state.isIdle }

  // MARK: What the app wants

  /// Somebody else was here before: the app is as it was.
  func begin(isPaused: Bool, isBehind: Bool) {
    if isPaused { setPaused(true) }
    if isBehind { enterBackground() }
  }

  func start() async {
    if isOver { return }
    if isStarted { return connection.state == .unauthorized ? await retry() : () }
    isStarted = true
    await tokens.unblock()
    isRefusalReported = false
    // It may have been stopped meanwhile.
    guard isStarted, !isOver else { return }
    if inbox.lastSeq == nil { _ = lifetime.run { [weak self] in await self?.restore() } }
    perform(connection.start(now: clock.now))
    if !isIdle { sync() }
  }

  func stop() {
    if !isStarted { return }
    isStarted = false
    flush()
    doubting?.cancel()
    doubting = nil
    perform(connection.stop(now: clock.now))
  }

  /// The user is gone: nothing is sent or reported any more.
  func end() async {
    isStarted = false
    perform(connection.stop(now: clock.now))
    abandon()
    inbox = Inbox()
    await tokens.end()
    await removeKept()
  }

  func retry() async {
    await tokens.unblock()
    isRefusalReported = false
    perform(connection.retry(now: clock.now))
    wake()
    if !isIdle { sync() }
  }

  // MARK: Work

  /// Does something later; cancelled with the task, or with the session.
  func later(_ wait: Duration, _ work: @escaping @Sendable (isolated UserSession) -> Void) -> Task<Void, Never> {
    let clock = clock
    return lifetime.run { [weak self] in
      try? await clock.sleep(for: wait)
      if !Task.isCancelled { await self?.carryOut(work) }
    }
  }

  private func carryOut(_ work: @Sendable (isolated UserSession) -> Void) {
    if !isOver { work(self) }
  }

  // MARK: Reporting

  /// However much changes at a time, it is reported together.
  func inboxChanged() {
    if reporting == nil { reporting = later(timing.collect) { $0.report() } }
  }

  private func report() {
    reporting = nil
    if let count = inbox.unreadCount, count != reportedCount {
      reportedCount = count
      outlets.unreadCounts.send(count)
    }
    if let touched = inbox.takeTouched() {
      for id in touched { outlets.changes.send(inbox[id].map(InboxChange.changed) ?? .removed(id)) }
    } else {
      outlets.changes.send(.reloaded)
    }
    outlets.updates.send(())
    keepSoon()
  }

  /// A refused user is told once, whatever was asked meanwhile.
  func reportOnce(_ error: BelfryError) {
    if error.code == .unauthorized {
      if isRefusalReported { return }
      isRefusalReported = true
    }
    report(error)
  }

  func report(_ error: BelfryError) {
    if !isOver, error.code != .ended { outlets.errors.send(error) }
  }
}

/// Tells whoever waits for an operation what became of it.
typealias Settlement = AsyncThrowingStream<Never, any Error>.Continuation
