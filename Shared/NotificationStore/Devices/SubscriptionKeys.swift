import JSON
import Postgres

/// What pushes to a browser's subscription are encrypted with (RFC 8291): the members `p256dh` and `auth` of its `keys`, in
/// base64url without padding. Secrets of the browser, never logged.
public struct SubscriptionKeys: Sendable, Equatable {
  public var p256dh: String
  public var auth: String

  public init(p256dh: String, auth: String) {
    self.p256dh = p256dh
    self.auth = auth
  }

  var json: PostgresJSON {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("p256dh", p256dh)
      writer.field("auth", auth)
    }
    return PostgresJSON(text: writer.text)
  }
}
