import DequeModule
import Dispatch
import DriverExecutor
import Logging
import Synchronization

/// Sends messages over up to `maximumConnections` connections, on a dispatch queue of its own.
///
/// libcurl opens the connections; each then carries one message after another (see `SMTPConnection`). A message that finds no
/// idle connection opens one, or waits. A connection whose server is long in answering may leave the pool of those, and comes back with
/// the answer if there is room.
actor SMTPEngine {
  private typealias Inbox = TransferInbox<SMTPTransaction, SMTPReply>

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let configuration: SMTPConfiguration
  private let logger: Logger
  private let executor = QueueExecutor(label: "belfry.smtp")
  private let inbox: Inbox
  private var waiting: Deque<Inbox.Job> = []

  /// By a number of their own, under which the sources' handlers find them.
  private var connections: [UInt64: SMTPConnection] = [:]
  private var lastConnection: UInt64 = 0
  /// Connections that have left the pool.
  private var aside = 0
  private let givesUpAnswers = Atomic(false)
  private var isSweeping = false
  private var closers: [CheckedContinuation<Void, Never>] = []

  init(_ configuration: SMTPConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
    inbox = Inbox(
      limit: configuration.maximumConnections + configuration.maximumAside + configuration.maximumWaiting
    )
  }

  nonisolated func send(_ envelope: SMTPEnvelope, timeout: Duration) async throws(TransportError) -> SMTPReply {
    try await inbox.send(SMTPTransaction(envelope), timeout: timeout) { self.wakeUp() }
  }

  nonisolated func probe(_ sender: String, timeout: Duration) async throws(TransportError) -> SMTPReply {
    try await inbox.send(SMTPTransaction(probing: sender), timeout: timeout) { self.wakeUp() }
  }

  /// Refuses new messages, waits for those in flight, then closes the connections. Cancelling the caller ends them at once.
  nonisolated func close() async {
    inbox.close()
    await withTaskCancellationHandler {
      await drainAndClose()
    } onCancel: {
      inbox.post(.cancelAll) { wakeUp() }
    }
  }

  /// From now on, ends as closed what the server has in full and has not answered.
  nonisolated func giveUpAnswers() {
    givesUpAnswers.store(true, ordering: .relaxed)
    wakeUp()
  }

  private nonisolated func wakeUp() {
    executor.queue.async { self.assumeIsolated { $0.takeCommands() } }
  }

  private func drainAndClose() async {
    takeCommands()
    if hasWork {
      await withCheckedContinuation { closers.append($0) }
    }
    for connection in connections.values { connection.quit() }
    connections.removeAll()
    aside = 0
  }

  private var hasWork: Bool {
    !waiting.isEmpty || connections.values.contains { $0.job != nil }
  }

  /// Whether the pool may have one more connection.
  private var hasRoom: Bool { connections.count - aside < configuration.maximumConnections }

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
    if givesUpAnswers.load(ordering: .relaxed) { endUnanswered() }
    proceed()
  }

  /// Ends messages that wait, and those in flight together with their connections.
  private func end(_ error: TransportError, where isMeant: (Inbox.Job) -> Bool) {
    end(error, where: isMeant) { $0.job.map(isMeant) ?? false }
  }

  private func end(
    _ error: TransportError,
    where isMeant: (Inbox.Job) -> Bool,
    on isMeantToo: (SMTPConnection) -> Bool
  ) {
    let ended = waiting.filter(isMeant)
    waiting.removeAll(where: isMeant)
    for job in ended { answer(job, .failure(error)) }
    for (number, connection) in connections {
      guard let job = connection.job, isMeantToo(connection) else { continue }
      let error = TransportError(
        error.code,
        isTransient: error.isTransient,
        mayHaveBeenProcessed: connection.mayHaveBeenProcessed
      )
      remove(number)
      answer(job, .failure(error))
    }
  }

  /// What the server has answered in time counts.
  private func endUnanswered() {
    for (number, connection) in connections where connection.mayHaveBeenProcessed {
      handle(connection.readLate(), of: number)
    }
    end(.closed, where: { _ in false }, on: \.mayHaveBeenProcessed)
  }

  @discardableResult
  private func remove(_ number: UInt64) -> SMTPConnection? {
    guard let connection = connections.removeValue(forKey: number) else { return nil }
    if connection.isAside { aside -= 1 }
    return connection
  }

  /// A connection that has its answer comes back to the pool, or is closed if that is full.
  private func comeBack(_ number: UInt64, _ connection: SMTPConnection) {
    guard hasRoom else {
      connection.quit()
      remove(number)
      return
    }
    connection.isAside = false
    aside -= 1
  }

  private func answer(_ job: Inbox.Job, _ outcome: Inbox.Outcome) {
    inbox.finished(1)
    job.answer(outcome)
  }

  /// Gives waiting messages their connections.
  private func proceed() {
    while let job = waiting.first {
      if let (number, connection) = connections.first(where: { $0.value.isIdle }) {
        waiting.removeFirst()
        handle(connection.begin(job), of: number)
      } else if hasRoom {
        waiting.removeFirst()
        open(for: job)
      } else {
        break
      }
    }
    if !hasWork, !closers.isEmpty {
      for closer in closers { closer.resume() }
      closers.removeAll()
    }
    if hasWork, !isSweeping { sweepLater() }
  }

  private func open(for job: Inbox.Job) {
    lastConnection += 1
    let number = lastConnection
    do throws(TransportError) {
      connections[number] = try SMTPConnection(
        configuration,
        for: job,
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
      return answer(job, .failure(error))
    }
    if let connection = connections[number] { handle(connection.connect { _ in }, of: number) }
  }

  private func advance(_ number: UInt64, _ step: (SMTPConnection) -> [SMTPConnection.Event]) {
    guard let connection = connections[number] else { return }
    handle(step(connection), of: number)
    proceed()
  }

  private func handle(_ events: [SMTPConnection.Event], of number: UInt64) {
    for event in events {
      switch event {
      case .answered(let job, let reply):
        answer(job, .success(reply))
        if let connection = connections[number], connection.isAside { comeBack(number, connection) }
      case .lost(let error):
        let job = remove(number)?.job
        if let job { answer(job, .failure(error)) }
        return
      }
    }
  }

  /// While there is work, look now and then whether somebody's time is up.
  private func sweepLater() {
    isSweeping = true
    executor.queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
      self?.assumeIsolated { $0.sweep() }
    }
  }

  private func sweep() {
    isSweeping = false
    let now = ContinuousClock.now
    func isOverdue(_ connection: SMTPConnection) -> Bool { connection.deadline.map { $0 <= now } ?? false }
    // An answer that came in time counts, even if this process was stopped meanwhile and reads it only now.
    for (number, connection) in connections where isOverdue(connection) { handle(connection.readLate(), of: number) }
    end(TransportError(.timeout, isTransient: true), where: { $0.deadline <= now }, on: isOverdue)
    for (number, connection) in connections where connection.isStuck(at: now) { remove(number) }
    if givesUpAnswers.load(ordering: .relaxed) { endUnanswered() }
    for connection in connections.values where aside < configuration.maximumAside && connection.leaves(at: now) {
      aside += 1
    }
    proceed()
  }
}
