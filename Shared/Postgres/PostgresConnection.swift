import CPostgreSQL
import DequeModule
import Dispatch
import DriverExecutor
import Logging
import Synchronization

/// One connection in pipeline mode, shared by many callers: every request is sent at once and answered in order.
///
/// It never reconnects: once closed it stays closed, and `PostgresClient` opens another. All access to libpq happens on
/// the queue of its executor.
actor PostgresConnection {
  /// What the server's next result is about.
  enum Step {
    case prepared(PreparedStatements.Statement)
    /// Nil: the unnamed statement.
    case executed(PreparedStatements.Statement?)
    case deallocated
    case sync
    /// A sync that no caller waits for.
    case ownSync
  }

  struct Inbox {
    var requests: [PendingRequest] = []
    var isDrainScheduled = false
    var access = ConnectionAccess.shared
  }

  nonisolated let executor: QueueExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Requests submitted and not yet through the server, cancelled ones included.
  nonisolated let load = Atomic<Int>(0)
  nonisolated let inbox = Mutex(Inbox())
  /// Whether it takes nothing any more. Its slot in the pool is emptied a moment later.
  nonisolated let isClosed = Atomic<Bool>(false)
  nonisolated let logger: Logger
  private nonisolated let patience: UInt64

  var handle: ConnectionHandle?
  /// Accepted, not yet sent: only while a script has the connection for itself.
  var backlog: Deque<PendingRequest> = []
  /// Sent, waiting for their syncs.
  var sent: Deque<PendingRequest> = []
  var steps: Deque<Step> = []
  /// The script that is running outside the pipeline.
  var script: PendingRequest?
  var statements = PreparedStatements()
  var scratch = ParameterScratch()

  var readSource: (any DispatchSourceRead)?
  var writeSource: (any DispatchSourceWrite)?
  var isWriteSourceActive = false
  var timer: (any DispatchSourceTimer)?
  var isTimerArmed = false

  private var closesWhenIdle = false
  private var closeWaiter: CheckedContinuation<Void, Never>?

  /// Connects, and is ready for requests on return.
  static func open(
    _ configuration: PostgresConfiguration,
    label: String,
    logger: Logger
  ) async throws(PostgresError) -> PostgresConnection {
    let executor = QueueExecutor(label: label)
    let handle = try await ConnectionHandle.open(configuration, on: executor, logger: logger)
    let patience = configuration.queryTimeout + PostgresConfiguration.timeoutGrace
    let connection = PostgresConnection(
      handle: handle,
      executor: executor,
      patience: UInt64(patience.wholeMilliseconds) * 1_000_000,
      logger: logger
    )
    await connection.start()
    return connection
  }

  private init(handle: ConnectionHandle, executor: QueueExecutor, patience: UInt64, logger: Logger) {
    self.handle = handle
    self.executor = executor
    self.patience = patience
    self.logger = logger
  }

  // MARK: Callers

  /// From now on takes these requests alone; those it has taken already keep their turn.
  nonisolated func restrict(to access: ConnectionAccess) {
    inbox.withLock { $0.access = access }
  }

  /// Sends the request and waits for its answer. Cancellation of the task answers at once.
  nonisolated func perform(_ request: PostgresRequest) async -> PostgresAnswer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(request, continuation, unlessCancelled: true)
      }
    } onCancel: {
      executor.queue.async { self.assumeIsolated { $0.cancel(request) } }
    }
  }

  /// As `perform`, but for what has to be done even in a cancelled task.
  nonisolated func performUncancellably(_ request: PostgresRequest) async -> PostgresAnswer {
    await withCheckedContinuation { continuation in
      submit(request, continuation, unlessCancelled: false)
    }
  }

  private nonisolated func submit(
    _ request: PostgresRequest,
    _ continuation: PendingRequest.Continuation,
    unlessCancelled: Bool
  ) {
    let deadline = request.hasDeadline ? DispatchTime.now().uptimeNanoseconds + patience : .max
    enum Next { case schedule, scheduled, cancelled, refused }
    let next: Next = inbox.withLock { inbox in
      // Under the lock: whoever is cancelled later than this is found in the inbox or beyond it.
      if unlessCancelled, Task.isCancelled { return .cancelled }
      guard request.access == inbox.access else { return .refused }
      inbox.requests.append(PendingRequest(request: request, continuation: continuation, deadline: deadline))
      defer { inbox.isDrainScheduled = true }
      return inbox.isDrainScheduled ? .scheduled : .schedule
    }
    switch next {
    case .cancelled: continuation.resume(returning: .failure(PostgresError(.cancelled)))
    case .refused: continuation.resume(returning: Self.refusal(of: request))
    case .scheduled: load.add(1, ordering: .relaxed)
    case .schedule:
      load.add(1, ordering: .relaxed)
      executor.queue.async { self.assumeIsolated { $0.drainInbox() } }
    }
  }

  /// What somebody hears who is late: the connection was borrowed by another meanwhile, or his own scope has ended.
  private static func refusal(of request: PostgresRequest) -> PostgresAnswer {
    switch request.access {
    case .shared: .notSent
    case .borrowed, .cleaning:
      .failure(PostgresError(.closed, "the scope of the borrowed connection has ended"))
    }
  }

  private func cancel(_ request: PostgresRequest) {
    drainInbox()
    let cancelled = PostgresAnswer.failure(PostgresError(.cancelled))
    if let index = backlog.firstIndex(where: { $0.request === request }) {
      backlog[index].answer(cancelled)
    } else if let index = sent.firstIndex(where: { $0.request === request }) {
      sent[index].answer(cancelled)
    } else if script?.request === request {
      script?.answer(cancelled)
    }
  }

  // MARK: State

  /// Whether a transaction is open on the server, or failed and waiting for its rollback.
  var transactionStatus: PGTransactionStatusType {
    handle.map { PQtransactionStatus($0.raw) } ?? PQTRANS_UNKNOWN
  }

  /// Whether a request is not answered by the server yet, be its caller still waiting or not.
  var isBusy: Bool {
    !sent.isEmpty || !backlog.isEmpty || script != nil || inbox.withLock { !$0.requests.isEmpty }
  }

  /// Forgets the prepared statements after `DISCARD ALL`.
  func forgetStatements() {
    statements.removeAll()
  }

  // MARK: Closing

  /// Returns when the connection is closed, for whatever reason.
  func waitUntilClosed() async {
    guard handle != nil else { return }
    await withCheckedContinuation { closeWaiter = $0 }
  }

  /// Closes as soon as everybody has an answer.
  func closeWhenIdle() {
    closesWhenIdle = true
    closeIfIdle()
  }

  func closeIfIdle() {
    if closesWhenIdle, !isBusy { close() }
  }

  /// Asks the server to stop what it is doing for this connection, then closes it.
  func cancelAndClose() {
    if let handle, let cancel = PQgetCancel(handle.raw) { PostgresConnection.send(cancel) }
    close()
  }

  /// Closes now: whoever waits gets `.connectionLost`, whose request was not sent yet goes elsewhere.
  func close() {
    guard let handle else { return }
    self.handle = nil
    isClosed.store(true, ordering: .releasing)
    stopSources()
    for var pending in sent { pending.answer(.failure(PostgresError(.connectionLost))) }
    script?.answer(.failure(PostgresError(.connectionLost)))
    for var pending in backlog { pending.answer(.notSent) }
    sent.removeAll()
    backlog.removeAll()
    steps.removeAll()
    script = nil
    drainInbox()
    withExtendedLifetime(handle) {}
    closeWaiter?.resume()
    closeWaiter = nil
  }

  /// A connection died or stopped making sense.
  func fail(_ reason: String) {
    guard handle != nil else { return }
    logger.warning("lost a connection to PostgreSQL", metadata: ["reason": "\(reason)"])
    close()
  }

  func libpqReason() -> String {
    guard let handle else { return "closed" }
    return String(cString: PQerrorMessage(handle.raw)).split(separator: "\n").joined(separator: "; ")
  }

  /// Off the connection's own queue, because it connects anew and blocks.
  private static func send(_ cancel: OpaquePointer) {
    nonisolated(unsafe) let cancel = cancel  // handed over: nobody else has it
    DispatchQueue.global().async {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        // Best effort: the statement ends by its timeout otherwise.
        _ = PQcancel(cancel, buffer.baseAddress, Int32(buffer.count))
      }
      PQfreeCancel(cancel)
    }
  }
}
