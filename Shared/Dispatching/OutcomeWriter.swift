public import NotificationStore
public import Postgres

/// Writes outcomes of many concurrent messages in few statements: while one statement is under way, what arrives gathers
/// for the next one. No timer, no added delay when there is little to do.
public actor OutcomeWriter {
  private let store: DeliveryStore
  private var gathered: [DeliveryStore.Record] = []
  private var waiting: [CheckedContinuation<Result<Void, PostgresError>, Never>] = []
  private var isWriting = false
  /// Rows per statement.
  private static let maximumRows = 5_000

  public init(store: DeliveryStore) {
    self.store = store
  }

  /// Returns once the records are committed.
  public func write(_ records: [DeliveryStore.Record]) async throws(PostgresError) {
    guard !records.isEmpty else { return }
    if isWriting {
      gathered += records
      let result = await withCheckedContinuation { waiting.append($0) }
      return try result.get()
    }
    isWriting = true
    let result = await commit(records)
    await drain()
    isWriting = false
    try result.get()
  }

  /// Writes what gathered meanwhile, for its callers.
  private func drain() async {
    while !waiting.isEmpty {
      let (records, callers) = (gathered, waiting)
      gathered = []
      waiting = []
      let result = await commit(records)
      for caller in callers { caller.resume(returning: result) }
    }
  }

  private func commit(_ records: [DeliveryStore.Record]) async -> Result<Void, PostgresError> {
    do throws(PostgresError) {
      for start in stride(from: 0, to: records.count, by: Self.maximumRows) {
        try await store.record(Array(records[start..<min(start + Self.maximumRows, records.count)]))
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}
