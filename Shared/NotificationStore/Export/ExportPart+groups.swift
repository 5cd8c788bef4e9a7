import NotificationModel
import Postgres

extension ExportPart {
  /// `group_members`. A group's key begins with the group: so that nobody walks through all members of all groups, the user's are
  /// found first, and each page is a part of them.
  static let groups = ExportPart("groups", of: "group_members") { user, after, limit in
    """
    SELECT group_id FROM (SELECT group_id FROM group_members WHERE user_id = \(user) OFFSET 0) g
    WHERE group_id > \(try after?.get("group_id", as: String.self) ?? "")
    ORDER BY group_id LIMIT \(limit)
    """
  } write: { fields in
    try fields.text("id", "group_id")
  }
}
