import Foundation
import JSON
import NotificationModel
import Postgres

extension UserSettings {
  /// The members of `users.settings`. Those of another version stay beside them.
  var json: PostgresJSON {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("soundEnabled", isSoundEnabled)
      writer.field("badgeEnabled", isBadgeEnabled)
      if let lowBalanceThreshold {
        writer.key("lowBalanceThreshold")
        writer.raw(lowBalanceThreshold.description)
      }
    }
    return PostgresJSON(text: writer.text)
  }
}
