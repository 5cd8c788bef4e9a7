import Synchronization
import CPostgreSQL
import DequeModule
import Dispatch

extension PostgresConnection {
  /// Takes over what callers have submitted and sends it.
  func drainInbox() {
    let requests = inbox.withLock { inbox in
      inbox.isDrainScheduled = false
      defer { inbox.requests.removeAll(keepingCapacity: true) }
      return inbox.requests
    }
    guard handle != nil else {
      for var pending in requests { release(&pending, .notSent) }
      return
    }
    backlog.append(contentsOf: requests)
    sendBacklog()
  }

  /// Sends as much as may be sent: a script waits until the pipeline is empty, and everything behind it waits for it.
  func sendBacklog() {
    repeat {
      while let next = backlog.first, let handle, maySend(next) {
        var pending = backlog.removeFirst()
        guard pending.continuation != nil else {
          release(&pending, .notSent)
          continue
        }
        send(pending, handle.raw)
      }
      flush()
      // Sending reads when the socket is full, and then no readiness event follows.
      receive()
    } while backlog.first.map(maySend) ?? false
    armTimer()
  }

  private func maySend(_ pending: PendingRequest) -> Bool {
    script == nil && (sent.isEmpty || !pending.request.isScript)
  }

  private func send(_ pending: PendingRequest, _ connection: OpaquePointer) {
    var ok = true
    switch pending.request.body {
    case .query(let query):
      sent.append(pending)
      ok = send(query, connection)
    case .segment(let queries):
      sent.append(pending)
      for query in queries where ok { ok = send(query, connection) }
    case .script(let sql):
      script = pending
      ok = PQexitPipelineMode(connection) == 1 && PQsendQuery(connection, sql) == 1
    }
    if ok, script == nil {
      steps.append(.sync)
      ok = PQpipelineSync(connection) == 1
      evictStatement(connection)
    }
    if !ok { fail(libpqReason()) }
  }

  private func send(_ query: SQLQuery, _ connection: OpaquePointer) -> Bool {
    switch statements.plan(query) {
    case .execute(let statement):
      steps.append(.executed(statement))
      return scratch.withParameters(query.bindings) { count, values, lengths, formats in
        PQsendQueryPrepared(connection, statement.name, count, values, lengths, formats, 1) == 1
      }
    case .prepareFirst(let statement):
      steps.append(.prepared(statement))
      steps.append(.executed(statement))
      let isSent = query.bindings.types.withUnsafeBufferPointer { types in
        PQsendPrepare(connection, statement.name, query.sql, Int32(types.count), types.baseAddress) == 1
      }
      return isSent
        && scratch.withParameters(query.bindings) { count, values, lengths, formats in
          PQsendQueryPrepared(connection, statement.name, count, values, lengths, formats, 1) == 1
        }
    case .unnamed:
      steps.append(.executed(nil))
      return scratch.withParameters(query.bindings) { count, values, lengths, formats in
        query.bindings.types.withUnsafeBufferPointer { types in
          PQsendQueryParams(connection, query.sql, count, types.baseAddress, values, lengths, formats, 1) == 1
        }
      }
    }
  }

  /// libpq 15 has no message for closing a statement, hence SQL; nobody waits for its answer.
  private func evictStatement(_ connection: OpaquePointer) {
    guard let statement = statements.evict() else { return }
    steps.append(.deallocated)
    steps.append(.ownSync)
    let isSent =
      PQsendQueryParams(connection, "DEALLOCATE \(statement.name)", 0, nil, nil, nil, nil, 1) == 1
      && PQpipelineSync(connection) == 1
    if !isSent { fail(libpqReason()) }
  }

  /// Answers a request that was never sent.
  private func release(_ pending: inout PendingRequest, _ answer: PostgresAnswer) {
    load.subtract(1, ordering: .relaxed)
    pending.answer(answer)
  }
}
