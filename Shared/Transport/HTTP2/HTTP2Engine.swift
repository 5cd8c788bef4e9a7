import DequeModule
import Dispatch
import DriverExecutor
import Logging
import TLS

/// Runs requests to one server over a few HTTP/2 connections, on a dispatch queue of its own.
///
/// Callers leave their requests in the inbox and are resumed directly from the queue. Whatever has gathered meanwhile is sent
/// together.
actor HTTP2Engine {
  private typealias Inbox = TransferInbox<HTTPRequest, HTTPResponse>

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let origin: HTTP2Origin
  private let configuration: HTTPClientConfiguration
  private let logger: Logger
  private let executor = QueueExecutor(label: "belfry.http2")
  private let inbox: Inbox
  private var waiting: Deque<Inbox.Job> = []
  /// Requests in hand that a server had no room for once.
  private var declined: Set<UInt64> = []

  /// By a number of their own, under which the sources' handlers find them.
  private var connections: [UInt64: HTTP2Connection] = [:]
  private var lastConnection: UInt64 = 0
  private var context: TLSContext?

  /// The latest request headers; a sender uses few different ones.
  private var fields: [HTTP2Fields] = []
  private let fieldsKept = 4

  /// When a connection is tried again after one that came to nothing.
  private var opensAgain = ContinuousClock.now
  private let openingPause = Duration.seconds(1)

  private var isSweeping = false
  private var isKeepingAlive = false
  private let onGoodbye: (@Sendable (HTTP2Goodbye) -> Void)?
  private var closers: [CheckedContinuation<Void, Never>] = []

  init(
    _ origin: HTTP2Origin,
    _ configuration: HTTPClientConfiguration,
    logger: Logger,
    onGoodbye: (@Sendable (HTTP2Goodbye) -> Void)? = nil
  ) {
    self.onGoodbye = onGoodbye
    self.origin = origin
    self.configuration = configuration
    self.logger = logger
    inbox = Inbox(limit: configuration.maximumRequests)
  }

  nonisolated func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
    try await inbox.send(request, timeout: timeout) { self.wakeUp() }
  }

  /// Refuses new requests, waits for those in flight, then closes the connections. Cancelling the caller ends them at once.
  nonisolated func close() async {
    inbox.close()
    await withTaskCancellationHandler {
      await drainAndClose()
    } onCancel: {
      inbox.post(.cancelAll) { wakeUp() }
    }
  }

  nonisolated func replaceConnection(_ number: UInt64) {
    executor.queue.async { self.assumeIsolated { $0.advance(number) { $0.retire() } } }
  }

  private nonisolated func wakeUp() {
    executor.queue.async { self.assumeIsolated { $0.takeCommands() } }
  }

  private func drainAndClose() async {
    takeCommands()
    if hasWork {
      await withCheckedContinuation { closers.append($0) }
    }
    for connection in connections.values { connection.close() }
    connections.removeAll()
  }

  private var hasWork: Bool { !waiting.isEmpty || connections.values.contains { $0.load > 0 } }

  private func takeCommands() {
    var cancelled: Set<UInt64> = []
    for command in inbox.takeAll() {
      switch command {
      case .submit(let job): waiting.append(job)
      case .cancel(let id): cancelled.insert(id)
      case .cancelAll: end(.closed) { _ in true }
      }
    }
    if !cancelled.isEmpty { end(.cancelled) { cancelled.contains($0.id) } }
    proceed()
  }

  /// Ends requests that wait, and those in flight; the connections stay.
  private func end(_ error: TransportError, where isMeant: (Inbox.Job) -> Bool) {
    end(error, where: isMeant) { $0.take { isMeant($0.job) } }
  }

  private func end(
    _ error: TransportError,
    where isMeant: (Inbox.Job) -> Bool,
    under take: (HTTP2Connection) -> [Inbox.Job]
  ) {
    let ended = waiting.filter(isMeant)
    if !ended.isEmpty { waiting.removeAll(where: isMeant) }
    answer(Array(ended), error)
    for (number, connection) in connections {
      let ended = take(connection)
      guard !ended.isEmpty else { continue }
      answer(ended, TransportError(error.code, isTransient: error.isTransient, mayHaveBeenProcessed: true))
      handle(connection.flush(), of: number)
    }
  }

  private func answer(_ jobs: [Inbox.Job], _ error: TransportError) {
    inbox.finished(jobs.count)
    if !declined.isEmpty { declined.subtract(jobs.lazy.map(\.id)) }
    for job in jobs { job.answer(.failure(error)) }
  }

  // MARK: Connections

  /// Gives waiting requests their connections: one that has room, the least busy first, else a new one.
  private func proceed() {
    let now = ContinuousClock.now
    for (number, connection) in connections.sorted(by: { $0.value.load < $1.value.load }) {
      let room = min(connection.room, waiting.count)
      guard room > 0 else { continue }
      for _ in 0..<room { begin(waiting.removeFirst(), on: connection, now) }
      handle(connection.flush(), of: number)
    }
    // A connection that is being opened takes what waits as soon as it can.
    let usable = connections.values.filter(\.isUsable)
    // Those that take no more have their last answers coming.
    if !waiting.isEmpty, usable.allSatisfy(\.isReady), usable.count < configuration.maximumConnectionsPerHost,
      connections.count < 2 * configuration.maximumConnectionsPerHost, now >= opensAgain
    {
      open()
    }
    if !hasWork, !closers.isEmpty {
      for closer in closers { closer.resume() }
      closers.removeAll()
    }
    if hasWork || connections.values.contains(where: { !$0.isReady }), !isSweeping { sweepLater() }
    keepAliveLater()
  }

  private func begin(_ job: Inbox.Job, on connection: HTTP2Connection, _ now: ContinuousClock.Instant) {
    do throws(TransportError) {
      guard job.deadline > now else { throw TransportError(.timeout, isTransient: true) }
      guard connection.begin(job, try fields(of: job.request)) else {
        throw TransportError(.connectionLost, isTransient: true)
      }
    } catch {
      answer([job], error)
    }
  }

  private func fields(of request: HTTPRequest) throws(TransportError) -> HTTP2Fields {
    guard request.ownHeaders.isEmpty else { return try HTTP2Fields(of: request, to: origin) }
    if let known = fields.first(where: { $0.belong(to: request) }) { return known }
    let made = try HTTP2Fields(of: request, to: origin)
    if fields.count == fieldsKept { fields.removeFirst() }
    fields.append(made)
    return made
  }

  /// Whom connections trust: read once.
  private func trust() throws(TransportError) -> TLSContext {
    if let context { return context }
    do {
      let made = try TLSContext.client(caFile: configuration.caFile)
      context = made
      return made
    } catch {
      throw TransportError(error)
    }
  }

  private func open() {
    lastConnection += 1
    let number = lastConnection
    do throws(TransportError) {
      let context = try trust()
      connections[number] = try HTTP2Connection(
        number,
        origin,
        configuration,
        context,
        queue: executor.queue,
        logger: logger,
        onSocket: { [weak self] socket, direction in
          self?.assumeIsolated { engine in
            engine.advance(number) { $0.connect { $0.handleSocket(socket, direction: direction) } }
          }
        },
        onTimer: { [weak self] in
          self?.assumeIsolated { engine in
            engine.advance(number) { $0.connect { if $0.isTimerDue() { $0.handleTimer() } } }
          }
        },
        onReady: { [weak self] in
          self?.assumeIsolated { engine in engine.advance(number) { $0.proceed() } }
        }
      )
    } catch {
      return lost(number, error)
    }
    advance(number) { $0.connect { _ in } }
  }

  private func advance(_ number: UInt64, _ step: (HTTP2Connection) -> [HTTP2Connection.Event]) {
    guard let connection = connections[number] else { return }
    handle(step(connection), of: number)
    proceed()
  }

  private func handle(_ events: [HTTP2Connection.Event], of number: UInt64) {
    for event in events {
      switch event {
      case .answered(let job, let outcome):
        inbox.finished(1)
        if !declined.isEmpty { declined.remove(job.id) }
        job.answer(outcome)
      case .refused(let job):
        waiting.prepend(job)
      case .declined(let job):
        // As when it takes fewer streams than it just did. Not for ever: it may have room for none.
        if declined.insert(job.id).inserted {
          waiting.prepend(job)
        } else {
          answer([job], TransportError(.connectionLost, isTransient: true))
        }
      case .goodbye(let goodbye):
        onGoodbye?(goodbye)
      case .lost(let error):
        lost(number, error)
      }
    }
  }

  /// A connection has ended, or none came about. Who waits tries another one, but not at once if this one never answered
  /// anybody. If it could not even be opened and there is no other, everybody is notified.
  private func lost(_ number: UInt64, _ error: TransportError) {
    let connection = connections.removeValue(forKey: number)
    guard connection?.hasServed(for: openingPause) != true else { return }
    opensAgain = .now + openingPause
    guard connection?.isOpen != true, !connections.values.contains(where: \.isUsable) else { return }
    let refused = waiting
    waiting.removeAll()
    answer(Array(refused), error.beforeSending)
  }

  // MARK: Time

  /// While there is work, look now and then whether somebody's time is up, and whether the servers are there.
  private func sweepLater() {
    isSweeping = true
    executor.queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
      self?.assumeIsolated { $0.sweep() }
    }
  }

  private func sweep() {
    isSweeping = false
    let now = ContinuousClock.now
    // An answer that came in time counts, even if this process was stopped meanwhile and reads it only now.
    for (number, connection) in connections where connection.hasExpired(now) {
      handle(connection.proceed(), of: number)
    }
    end(TransportError(.timeout, isTransient: true), where: { $0.deadline <= now }, under: { $0.takeExpired(now) })
    for (number, connection) in connections where connection.isOverdue(now) {
      lost(number, TransportError(.timeout, isTransient: true))
    }
    proceed()
  }

  /// While there are connections and it is wanted, look now and then whether one has been silent for too long.
  private func keepAliveLater() {
    guard let silence = configuration.pingAfter, !connections.isEmpty, !isKeepingAlive else { return }
    isKeepingAlive = true
    let pause = DispatchTimeInterval.milliseconds(Int(min(silence, configuration.timeout) / .milliseconds(1)))
    executor.queue.asyncAfter(deadline: .now() + pause) { [weak self] in
      self?.assumeIsolated { $0.keepAlive(after: silence) }
    }
  }

  private func keepAlive(after silence: Duration) {
    isKeepingAlive = false
    let now = ContinuousClock.now
    for (number, connection) in Array(connections) {
      if connection.isGone(after: configuration.timeout, now) {
        handle(connection.end(), of: number)
      } else {
        handle(connection.ping(after: silence, now), of: number)
      }
    }
    proceed()
  }
}
