import Cryptography
import Foundation
import HTTPTypes
import Hummingbird
import BelfryJSON

/// The part of the control API that is about browsers: what arrived, and their subscriptions.
struct WebPushControl: Sendable {
  let responder: WebPushResponder

  private var log: WebPushLog { responder.log }
  private var subscriptions: WebPushSubscriptions { responder.subscriptions }

  func addRoutes(to router: Router<BasicRequestContext>) {
    router.get("api/webpush") { request, _ in
      let query = try ListQuery(request, filters: ["endpoint", "notificationId"])
      let (endpoint, notification) = (query.filters["endpoint"], query.filters["notificationId"])
      let found = log.records(after: query.after, limit: query.limit) { record in
        (endpoint == nil || record.endpoint == endpoint)
          && (notification == nil || record.push.notificationID == notification)
      }
      return ControlAPI.list("pushes", found) { Self.write($0, to: &$1) }
    }
    router.get("api/webpush/summary") { _, _ in
      ControlAPI.response { Self.write(log.summary(), to: &$0) }
    }
    router.delete("api/webpush") { _, _ in
      log.removeAll()
      return Response(status: .noContent)
    }
    router.post("api/webpush/subscriptions") { request, _ in
      let key = try Self.serverKey(try await ControlBody.collect(request))
      guard let subscription = try subscriptions.make(for: key),
        let endpoint = responder.endpoint(of: subscription.id)
      else {
        throw ControlError(
          status: .conflict,
          field: nil,
          message: "there are \(WebPushSubscriptions.maximumCount) subscriptions already"
        )
      }
      return ControlAPI.response(.created) { Self.write(subscription.keys, endpoint, to: &$0) }
    }
    router.delete("api/webpush/subscriptions") { request, _ in
      guard let endpoint = try ListQuery(request, filters: ["endpoint"]).filters["endpoint"],
        let origin = responder.origin, endpoint.hasPrefix(origin),
        let id = WebPush.id(of: String(endpoint.dropFirst(origin.count))), subscriptions.end(id)
      else { throw ControlError(status: .notFound, field: "endpoint", message: "no such subscription") }
      return Response(status: .noContent)
    }
  }

  /// Forgets what arrived; browsers stay subscribed.
  func removeAll() {
    log.removeAll()
  }

  // MARK: Reading

  /// `{"applicationServerKey"?}`, as a page gives it to `subscribe`.
  static func serverKey(_ body: [UInt8]) throws(ControlError) -> String? {
    let json: JSONValue
    do { json = try JSONParser.parse(body) } catch { throw .invalid("body", error.description) }
    guard let members = json.members else { throw .invalid("body", "expected an object") }
    for member in members where member.name != "applicationServerKey" {
      throw .invalid(member.name, "unknown; known is applicationServerKey")
    }
    guard let value = json["applicationServerKey"] else { return nil }
    guard let text = value.string, let point = Base64URL.bytes(text.utf8), (try? PublicKey(p256: point)) != nil else {
      throw .invalid("applicationServerKey", "expected a point of P-256, 65 bytes in base64url")
    }
    return text
  }

  // MARK: Writing

  /// As `toJSON()` of a browser's subscription.
  private static func write(
    _ keys: WebPushSubscriptions.Keys?,
    _ endpoint: String,
    to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.field("endpoint", endpoint)
      writer.nullableField("expirationTime", nil)
      writer.object("keys") { writer in
        writer.field("p256dh", Base64URL.encode(keys?.key.publicKey.point ?? []))
        writer.field("auth", Base64URL.encode(keys?.secret ?? []))
      }
    }
  }

  private static func write(_ record: WebPushLog.Record, to writer: inout JSONWriter) {
    let push = record.push
    writer.object { writer in
      writer.field("sequence", record.sequence)
      writer.field("receivedAt", Date(timeIntervalSince1970: Double(record.receivedAt) / 1_000).rfc3339)
      writer.field("endpoint", record.endpoint)
      writer.field("messageId", record.id)
      writer.field("ttl", push.ttl)
      writer.field("urgency", push.urgency)
      writer.nullableField("topic", push.topic)
      writer.field("subject", push.subject)
      writer.nullableField("notificationId", push.notificationID)
      writer.array("headers") { writer in
        for header in push.headers {
          writer.object { writer in
            writer.field("name", header.name)
            writer.field("value", header.value)
          }
        }
      }
      writer.field("isForBrowser", push.isForBrowser)
      writer.field("isReadable", push.text != nil)
      writer.nullableField("text", push.text.map { String(decoding: $0, as: UTF8.self) })
      if let text = push.text, (try? JSONParser.parse(text)) != nil {
        writer.key("message")
        writer.raw(text)
      }
    }
  }

  private static func write(_ summary: WebPushLog.Summary, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("accepted", summary.accepted)
      writer.field("unreadable", summary.unreadable)
      writer.field("forBrowsers", summary.forBrowsers)
      writer.object("acknowledged") { writer in
        for (code, count) in summary.acknowledged.sorted(by: { $0.key < $1.key }) { writer.dynamicField(code, count) }
      }
      writer.field("kept", summary.kept)
      writer.field("dropped", summary.dropped)
      writer.field("distinctNotifications", summary.distinct)
      writer.field("duplicates", summary.duplicates)
      writer.field("duplicatesWithDifferentTopic", summary.differing)
      writer.field("connections", summary.connections)
      writer.object("attempts") { writer in
        for (name, count) in summary.attempts.sorted(by: { $0.key < $1.key }) { writer.dynamicField(name, count) }
      }
    }
  }
}
