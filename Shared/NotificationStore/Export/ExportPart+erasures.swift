import NotificationModel
import Postgres

extension ExportPart {
  /// `erased_users`: that somebody of the same id was erased before. One row at most.
  static let erasures = ExportPart("erasures", of: "erased_users") { user, _, limit in
    "SELECT erased_at FROM erased_users WHERE user_id = \(user) LIMIT \(limit)"
  } write: { fields in
    try fields.time("erasedAt", "erased_at")
  }
}
