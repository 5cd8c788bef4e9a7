import HTTPTypes
import NotificationModel

/// What users may do by themselves with all that is kept about them, where the deployment allows it.
struct SelfService {
  let isAllowed: Bool
  /// What users cannot do elsewhere, e.g. "erase themselves".
  let action: String

  /// The user who is asking.
  ///
  /// - Throws: 403 where it is not allowed.
  func user(_ context: GatewayContext) throws -> UserID {
    guard isAllowed else {
      throw Problem(
        .forbidden,
        .forbidden,
        "Users cannot \(action) here",
        detail: "this deployment leaves it to its backend"
      )
    }
    return try context.user()
  }
}
