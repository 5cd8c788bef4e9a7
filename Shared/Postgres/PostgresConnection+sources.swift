import Logging
import DriverExecutor
import CPostgreSQL
import DequeModule
import Dispatch

extension PostgresConnection {
  /// Begins to watch the socket. The sources hold the handle until they are cancelled: the socket must outlive them.
  func start() {
    guard let handle else { return }
    let socket = PQsocket(handle.raw)
    let readSource = DispatchSource.makeReadSource(fileDescriptor: socket, queue: executor.queue)
    readSource.setEventHandler { [self] in assumeIsolated { $0.readable() } }
    readSource.setCancelHandler { withExtendedLifetime(handle) {} }
    readSource.activate()
    self.readSource = readSource

    let writeSource = DispatchSource.makeWriteSource(fileDescriptor: socket, queue: executor.queue)
    writeSource.setEventHandler { [self] in assumeIsolated { $0.flush() } }
    writeSource.setCancelHandler { withExtendedLifetime(handle) {} }
    self.writeSource = writeSource  // inactive until libpq cannot send everything

    let timer = DispatchSource.makeTimerSource(queue: executor.queue)
    timer.setEventHandler { [self] in assumeIsolated { $0.expire() } }
    timer.schedule(deadline: .distantFuture)
    timer.activate()
    self.timer = timer
  }

  /// Sends what libpq has buffered, now or when the socket takes it.
  func flush() {
    guard let handle, let writeSource else { return }
    switch PQflush(handle.raw) {
    case 0:
      guard isWriteSourceActive else { return }
      writeSource.suspend()
      isWriteSourceActive = false
    case 1:
      guard !isWriteSourceActive else { return }
      writeSource.resume()
      isWriteSourceActive = true
    default: fail(libpqReason())
    }
  }

  /// Sees to it that somebody looks when the first caller's time is up.
  func armTimer() {
    guard !isTimerArmed, let deadline = earliestDeadline() else { return }
    isTimerArmed = true
    timer?.schedule(deadline: DispatchTime(uptimeNanoseconds: deadline), leeway: .milliseconds(10))
  }

  /// All callers of a connection are given the same time, so the first in line is the first to expire.
  private func earliestDeadline() -> UInt64? {
    let deadline = (script ?? sent.first ?? backlog.first)?.deadline
    return deadline == .max ? nil : deadline
  }

  private func expire() {
    isTimerArmed = false
    guard let deadline = earliestDeadline() else { return }
    let now = DispatchTime.now().uptimeNanoseconds
    guard deadline <= now else { return armTimer() }
    let timeout = PostgresAnswer.failure(PostgresError(.timeout))
    for index in sent.indices where sent[index].deadline <= now { sent[index].answer(timeout) }
    if let script, script.deadline <= now { self.script?.answer(timeout) }
    logger.warning("PostgreSQL did not answer in time: giving the connection up")
    cancelAndClose()
  }

  func stopSources() {
    if !isWriteSourceActive { writeSource?.resume() }  // a suspended source never delivers its cancellation
    isWriteSourceActive = true
    readSource?.cancel()
    writeSource?.cancel()
    timer?.cancel()
    readSource = nil
    writeSource = nil
    timer = nil
  }
}
