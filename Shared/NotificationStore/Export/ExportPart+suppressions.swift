import BelfryJSON
import NotificationModel
import Postgres

extension ExportPart {
  /// `suppressions`: of the profile's address, and of those to which the user's mails went.
  static let suppressions = ExportPart("suppressions", of: "suppressions") { user, after, limit in
    """
    SELECT address, reason, since, source, diagnostic, last_at FROM (
      SELECT * FROM suppressions WHERE user_id = \(user)
      UNION
      SELECT * FROM suppressions WHERE address = (SELECT belfry_mail_address(email) FROM users WHERE user_id = \(user))
    ) s
    WHERE (address, reason) > (\(try after?.get("address", as: String.self) ?? ""),
      \(try after?.get("reason", as: Int16.self) ?? 0))
    ORDER BY address, reason LIMIT \(limit)
    """
  } write: { fields in
    try fields.text("address", "address")
    let reason: Int16 = try fields.row.get("reason")
    fields.add("reason", .string(SuppressionReason(rawValue: reason).name))
    try fields.time("since", "since")
    try fields.text("source", "source")
    try fields.text("diagnostic", "diagnostic")
    try fields.time("lastAt", "last_at")
  }

  /// `soft_bounces`: the same of what only counts with others.
  static let softBounces = ExportPart("softBounces", of: "soft_bounces") { user, after, limit in
    """
    SELECT address, occurrence, at, code FROM (
      SELECT * FROM soft_bounces WHERE user_id = \(user)
      UNION
      SELECT * FROM soft_bounces WHERE address = (SELECT belfry_mail_address(email) FROM users WHERE user_id = \(user))
    ) s
    WHERE (address, occurrence) > (\(try after?.get("address", as: String.self) ?? ""),
      \(try after?.get("occurrence", as: String.self) ?? ""))
    ORDER BY address, occurrence LIMIT \(limit)
    """
  } write: { fields in
    try fields.text("address", "address")
    try fields.text("occurrence", "occurrence")
    try fields.time("at", "at")
    try fields.text("code", "code")
  }
}
