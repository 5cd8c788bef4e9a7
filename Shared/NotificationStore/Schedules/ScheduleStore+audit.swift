import BelfryJSON
import Postgres

/// What an admin does to others' schedules.
extension ScheduleStore {
  /// Who changes schedules.
  struct Caller: Sendable {
    var actor: String
    var requestID: String?
  }

  /// The same schedules, which the audit log records, with the change itself, when this caller changes another owner's.
  ///
  /// - Parameter requestID: Of the HTTP request, as logs name it.
  public func noting(actor: String, requestID: String?) -> ScheduleStore {
    var store = self
    store.caller = Caller(actor: actor, requestID: requestID)
    return store
  }

  /// The subject is whose it is, so that the erasing of a user who owned it finds the line.
  func note(_ action: String, _ key: String, of owner: String, in transaction: PostgresTransaction) async throws {
    guard let caller, caller.actor != owner else { return }
    _ = try await transaction.query(
      AuditStore.line(
        actor: caller.actor,
        action: action,
        subject: owner,
        detail: .object([JSONMember("key", key)]),
        requestID: caller.requestID
      )
    )
  }
}
