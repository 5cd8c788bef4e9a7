import JSON
import NotificationModel
import Postgres

extension SubscriptionKeys {
  /// As ``RecipientStore/activeDevices(of:)`` says them; nil if one is missing.
  init?(stored keys: [String?]) {
    guard keys.count == 2, let p256dh = keys[0], let auth = keys[1] else { return nil }
    self.init(p256dh: p256dh, auth: auth)
  }

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
