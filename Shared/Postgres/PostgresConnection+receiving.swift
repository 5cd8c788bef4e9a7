import CPostgreSQL
import DequeModule
import Dispatch
import Glibc
import Synchronization

extension PostgresConnection {
  /// The socket is readable: takes everything that has arrived.
  func readable() {
    // Data and the end that arrives with it are one event, whose size is 0, and no other follows once both sides have
    // ended: whoever takes the data alone then waits for ever.
    let isEnd = readSource?.data == 0
    repeat { consume() } while isEnd && hasArrivals
    guard handle != nil else { return }
    sendBacklog()
    closeIfIdle()
  }

  private func consume() {
    guard let handle else { return }
    // OpenSSL may keep the rest of a record (at most 16 KiB) in its own buffer while the socket is quiet, and libpq takes
    // at least 8 KiB at a time.
    for _ in 0..<(PQsslInUse(handle.raw) == 1 ? 3 : 1) {
      guard PQconsumeInput(handle.raw) == 1 else { return fail(libpqReason()) }
      receive()
      guard self.handle != nil else { return }
    }
  }

  /// Whether the socket has data or its end to read.
  private var hasArrivals: Bool {
    guard let handle else { return false }
    var descriptor = pollfd(fd: PQsocket(handle.raw), events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) == 1
  }

  /// Handles the results that libpq has, without blocking.
  func receive() {
    var nothings = 0
    while let handle, PQisBusy(handle.raw) == 0 {
      if script != nil {
        receiveScript(PQgetResult(handle.raw))
        continue
      }
      guard !steps.isEmpty else { return }
      guard let result = PQgetResult(handle.raw) else {
        // One nil ends each statement's results; two in a row mean that libpq and we disagree about what is due.
        nothings += 1
        guard nothings < 2 else { return fail("the pipeline is out of step; \(libpqReason())") }
        continue
      }
      nothings = 0
      defer { PQclear(result) }
      receive(result)
    }
  }

  private func receive(_ result: OpaquePointer) {
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: succeeded(result)
    case PGRES_FATAL_ERROR: failed(PostgresError(PostgresServerReport(result)))
    case PGRES_PIPELINE_ABORTED: aborted()
    case PGRES_PIPELINE_SYNC: synced()
    default:
      let error = PostgresError(.invalidQuery, "COPY is not supported")
      if !sent.isEmpty { sent[0].answer(.failure(error)) }
      fail("unexpected result \(String(cString: PQresStatus(PQresultStatus(result))))")
    }
  }

  private func succeeded(_ result: OpaquePointer) {
    switch steps.popFirst() {
    case .prepared(let statement): statement.isReady = true
    case .executed(let statement):
      let columns = statement?.columns ?? (PQnfields(result) == 0 ? .none : PostgresColumns(result))
      statement?.columns = columns
      if let storage = PostgresRowStorage(result, columns: columns) {
        sent[0].results.append(PostgresResult(storage: storage))
      } else {
        sent[0].error = PostgresError(.invalidQuery, "the result exceeds 4 GiB")
      }
    case .deallocated: break
    case .sync, .ownSync, nil: fail("a result where a sync was due")
    }
  }

  private func failed(_ error: PostgresError) {
    switch steps.first {
    case .prepared(let statement):
      statements.forget(statement)
      steps.removeFirst()
    case .executed(let statement):
      if let statement, error.isTransient, error.code != .timeout { forgetIfStale(statement, error) }
      steps.removeFirst()
    case .deallocated:
      steps.removeFirst()
      return
    case .sync: break  // the implicit commit failed; the sync itself still comes
    case .ownSync, nil: return
    }
    if !sent.isEmpty, sent[0].error == nil { sent[0].error = error }
  }

  private func forgetIfStale(_ statement: PreparedStatements.Statement, _ error: PostgresError) {
    switch error.code {
    case .server(sqlState: "0A000"), .server(sqlState: "26000"): statements.forget(statement)
    default: break
    }
  }

  /// An earlier statement of the same segment failed, so the server skipped this one.
  private func aborted() {
    if case .prepared(let statement) = steps.popFirst() { statements.forget(statement) }
  }

  private func synced() {
    switch steps.popFirst() {
    case .sync:
      var pending = sent.removeFirst()
      load.subtract(1, ordering: .relaxed)
      pending.complete()
    case .ownSync: break
    default: fail("a sync where a result was due")
    }
  }

  /// A script's results come one by one, nil at the end; its errors stop it.
  private func receiveScript(_ result: OpaquePointer?) {
    guard let result else {
      guard var pending = script, let handle else { return }
      script = nil
      guard PQenterPipelineMode(handle.raw) == 1 else { return fail(libpqReason()) }
      load.subtract(1, ordering: .relaxed)
      pending.complete()
      return
    }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
    case PGRES_FATAL_ERROR: script?.error = PostgresError(PostgresServerReport(result))
    default:
      script?.answer(.failure(PostgresError(.invalidQuery, "COPY is not supported")))
      fail("unexpected result of a script")
    }
  }
}
