import Authentication
import BelfryJSON
import NotificationModel
import NotificationStore

extension AuditStore {
  /// Writes down what the caller does to what is another's. Before it is done: whatever comes of it, nothing happens that is not
  /// written down.
  func write(
    _ action: String,
    subject: String,
    detail: [JSONMember] = [],
    by context: GatewayContext
  ) async throws {
    try await write(
      actor: context.subject,
      action: action,
      subject: subject,
      detail: detail.isEmpty ? nil : .object(detail),
      requestID: context.requestID
    )
  }

  /// The same of what is a user's; nothing of callers who are that user.
  func write(
    _ action: String,
    of user: UserID,
    detail: [JSONMember] = [],
    by context: GatewayContext
  ) async throws {
    guard context.principal?.userID != user.uuid else { return }
    try await write(action, subject: user.description, detail: detail, by: context)
  }
}
