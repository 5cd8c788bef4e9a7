import BelfryJSON
import NotificationModel
import Postgres

extension SubscriptionKeys {
  /// As the table of devices has them.
  var json: PostgresJSON {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("p256dh", p256dh)
      writer.field("auth", auth)
    }
    return PostgresJSON(text: writer.text)
  }
}
