import CCurl
import Dispatch
import DriverExecutor
import Logging

/// Runs HTTP requests on one libcurl multi handle, on a dispatch queue of its own.
///
/// Callers leave their requests in the inbox and are resumed directly from the queue: one switch of context each way, however
/// many callers there are. libcurl's handles and callbacks are touched on the queue only.
actor HTTPEngine {
  private typealias Inbox = TransferInbox<HTTPRequest, HTTPResponse>

  private struct Running {
    let job: Inbox.Job
    let handle: HTTPHandle
    let lane: String
  }

  private struct Waiting {
    let job: Inbox.Job
    let lane: String
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let executor: QueueExecutor
  private let inbox: Inbox
  private let limits: CurlLimits

  /// Then others on the queue get their turn, in case libcurl wants to run without end.
  private let roundsInOneGo = 100

  private let logger: Logger
  private var exchange: HTTPExchange
  private var multi: CurlMulti?
  private var running: [UInt64: Running] = [:]
  private var waiting: [UInt64: Waiting] = [:]
  private var lanes: [String: HTTPLane] = [:]
  private var idleHandles: [HTTPHandle] = []
  private var finished = 0
  private var isSweeping = false
  private var closers: [CheckedContinuation<Void, Never>] = []

  init(_ exchange: sending HTTPExchange, limits: CurlLimits, maximumOutstanding: Int, logger: Logger) {
    self.exchange = exchange
    self.limits = limits
    self.logger = logger
    executor = QueueExecutor(label: "belfry.http")
    inbox = Inbox(limit: maximumOutstanding)
  }

  /// The answer to the request; `timeout` covers waiting for a free connection too.
  nonisolated func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
    try await inbox.send(request, timeout: timeout) { self.wakeUp() }
  }

  /// Refuses new requests, waits for those under way, then closes the connections. Cancelling the caller ends them at once.
  nonisolated func close() async {
    inbox.close()
    await withTaskCancellationHandler {
      await drainAndClose()
    } onCancel: {
      inbox.post(.cancelAll) { wakeUp() }
    }
  }

  private nonisolated func wakeUp() {
    executor.queue.async { self.assumeIsolated { $0.takeCommands() } }
  }

  private func drainAndClose() async {
    takeCommands()
    if !running.isEmpty || !waiting.isEmpty {
      await withCheckedContinuation { closers.append($0) }
    }
    idleHandles.removeAll()
    multi = nil
  }

  private func takeCommands() {
    for command in inbox.takeAll() {
      switch command {
      case .submit(let job): enqueue(job)
      case .cancel(let id): end(id, with: .cancelled)
      case .cancelAll:
        for transfer in Array(waiting.keys) { end(transfer, with: .closed) }
        for transfer in Array(running.keys) { end(transfer, with: .closed) }
      }
    }
    proceed()
  }

  private func enqueue(_ job: Inbox.Job) {
    let (name, slots) = exchange.lane(of: job.request)
    waiting[job.id] = Waiting(job: job, lane: name)
    lanes[name, default: HTTPLane(slots: slots)].append(job.id)
    startWaiting(in: name)
  }

  private func startWaiting(in name: String) {
    while let transfer = lanes[name]?.startNext(isWaiting: { waiting[$0] != nil }) {
      guard let job = waiting.removeValue(forKey: transfer)?.job else { continue }
      start(job, lane: name)
    }
    if lanes[name]?.isIdle == true { lanes[name] = nil }
  }

  private func start(_ job: Inbox.Job, lane: String) {
    do throws(TransportError) {
      let timeout = job.deadline - .now
      guard timeout > .zero else { throw TransportError(.timeout, isTransient: true) }
      let multi = try openMulti()
      let handle = if let idle = idleHandles.popLast() { idle } else { try exchange.makeHandle() }
      handle.transfer = job.id
      handle.clearFailureText()
      try exchange.prepare(handle, for: job.request, timeout: timeout)
      guard multi.add(handle) else {
        throw TransportError(.badResponse, isTransient: true, detail: "libcurl did not take the transfer")
      }
      running[job.id] = Running(job: job, handle: handle, lane: lane)
    } catch {
      lanes[lane]?.finish()
      answer(job, .failure(error))
    }
  }

  private func openMulti() throws(TransportError) -> CurlMulti {
    if let multi { return multi }
    let multi = try CurlMulti(
      limits: limits,
      queue: executor.queue,
      logger: logger,
      onSocket: { [weak self] socket, direction in
        self?.assumeIsolated { $0.socketReady(socket, direction) }
      },
      onTimer: { [weak self] in
        self?.assumeIsolated { $0.timerFired() }
      }
    )
    self.multi = multi
    return multi
  }

  private func socketReady(_ socket: Int32, _ direction: Int32) {
    multi?.handleSocket(socket, direction: direction)
    proceed()
  }

  private func timerFired() {
    guard let multi, multi.isTimerDue() else { return }
    multi.handleTimer()
    proceed()
  }

  /// Hands out answers, starts what waits, and lets libcurl run until it waits for the network.
  private func proceed() {
    if let multi {
      for _ in 0..<roundsInOneGo {
        if multi.isDueNow { multi.handleTimer() }
        while let (handle, code) = multi.nextCompleted() { complete(handle, code) }
        if !multi.isDueNow { break }
      }
      multi.settle()
    }
    if finished > 0 {
      inbox.finished(finished)
      finished = 0
    }
    if running.isEmpty, waiting.isEmpty, !closers.isEmpty {
      for closer in closers { closer.resume() }
      closers.removeAll()
    }
    if !waiting.isEmpty, !isSweeping { sweepLater() }
  }

  private func complete(_ handle: CurlHandle, _ code: CURLcode) {
    guard let done = running.removeValue(forKey: handle.transfer) else {
      multi?.remove(handle)
      return
    }
    let outcome = exchange.outcome(on: done.handle, code: code)
    retire(done)
    answer(done.job, outcome)
    startWaiting(in: done.lane)
  }

  /// Ends a transfer before its time, whether it waits or runs; one that has its answer is left alone.
  private func end(_ transfer: UInt64, with error: TransportError) {
    if let ended = waiting.removeValue(forKey: transfer) {
      lanes[ended.lane]?.abandon(isWaiting: { waiting[$0] != nil })
      answer(ended.job, .failure(error))
      startWaiting(in: ended.lane)
    } else if let ended = running.removeValue(forKey: transfer) {
      retire(ended)
      answer(ended.job, .failure(error))
      startWaiting(in: ended.lane)
    }
  }

  private func retire(_ done: Running) {
    multi?.remove(done.handle)
    done.handle.end()
    idleHandles.append(done.handle)
    lanes[done.lane]?.finish()
  }

  private func answer(_ job: Inbox.Job, _ outcome: Inbox.Outcome) {
    finished += 1
    job.answer(outcome)
  }

  /// libcurl times only what it runs: while some wait, look now and then whether their time is up.
  private func sweepLater() {
    isSweeping = true
    executor.queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
      self?.assumeIsolated { $0.sweep() }
    }
  }

  private func sweep() {
    isSweeping = false
    let now = ContinuousClock.now
    for (transfer, waiter) in waiting where waiter.job.deadline <= now {
      end(transfer, with: TransportError(.timeout, isTransient: true))
    }
    proceed()
  }
}
