import DequeModule
import NotificationStore
import Retrying

/// Writes outcomes of many concurrent messages in few statements: while one statement is under way, what arrives gathers
/// for the next one. No timer, no added delay when there is little to do.
///
/// A caller that comes while no statement is under way writes at once. When its statement is done, the first of the callers
/// that came meanwhile writes for all of them, and so on: no caller writes for others more than once.
actor OutcomeWriter {
  private enum Turn {
    case done(Result<Void, any Error>)
    case write
  }

  private struct Caller {
    var records: [DeliveryStore.Record]
    var turn: CheckedContinuation<Turn, Never>
  }

  private let store: any OutcomeStore
  private var waiting: Deque<Caller> = []
  private var isWriting = false
  /// Rows per statement, as far as callers' own records allow.
  private static let maximumRows = 5_000

  /// Callers whose records wait for the next statement.
  var waitingCount: Int { waiting.count }

  init(store: any OutcomeStore) {
    self.store = store
  }

  /// Returns once the records are committed.
  ///
  /// - Throws: What the database says about these records; other callers' records do not spoil them.
  func write(_ records: [DeliveryStore.Record]) async throws {
    guard !records.isEmpty else { return }
    if isWriting {
      let turn = await withCheckedContinuation { waiting.append(Caller(records: records, turn: $0)) }
      switch turn {
      case .done(let result): return try result.get()
      case .write: break
      }
    }
    isWriting = true
    let others = takeWaiting(room: Self.maximumRows - records.count)
    let result = await commit(records, others)
    if let next = waiting.popFirst() {
      next.turn.resume(returning: .write)
    } else {
      isWriting = false
    }
    try result.get()
  }

  private func takeWaiting(room: Int) -> [Caller] {
    var room = room
    var callers: [Caller] = []
    while let next = waiting.first, next.records.count <= room {
      room -= next.records.count
      callers.append(waiting.removeFirst())
    }
    return callers
  }

  /// Commits the caller's own records and the others', answers the others, and returns the caller's own result.
  private func commit(_ own: [DeliveryStore.Record], _ others: [Caller]) async -> Result<Void, any Error> {
    let together = await record(own + others.flatMap(\.records))
    guard case .failure(let error) = together, !error.isTransientFailure, !error.isCancellation, !others.isEmpty else {
      for other in others { other.turn.resume(returning: .done(together)) }
      return together
    }
    // Something in it can never be written: each by itself, so that only that one fails.
    for other in others { other.turn.resume(returning: .done(await record(other.records))) }
    return await record(own)
  }

  private func record(_ records: [DeliveryStore.Record]) async -> Result<Void, any Error> {
    do {
      try await store.record(records)
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}
