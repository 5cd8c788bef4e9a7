import BelfryJSON
import Testing

@testable import Simulator

struct FCMValidatorTests {
  private func validate(_ message: String) throws(FCMFailure) -> PushMessage {
    try FCMValidator.validate(Array(#"{"message": \#(message)}"#.utf8))
  }

  private func failure(_ message: String) -> FCMFailure? {
    do {
      _ = try validate(message)
      return nil
    } catch { return error }
  }

  /// The field that a message is refused for.
  private func field(_ message: String) -> String? { failure(message)?.violations.first?.field }

  @Test func `a message with every block is accepted and its collapse ids are kept`() throws {
    let message = try validate(
      #"""
      {"token": "t:1", "notification": {"title": "T", "body": "B", "image": "https://x/y.png"},
       "data": {"notificationId": "n1", "type": "10"},
       "android": {"collapse_key": "c", "priority": "HIGH", "ttl": "3600s", "notification": {
         "sound": "default", "tag": "g", "click_action": "OPEN_NOTIFICATION", "channel_id": "x",
         "notification_count": 3, "event_time": "2026-01-02T03:04:05.678Z", "vibrate_timings": ["0.5s"],
         "light_settings": {"color": {"red": 1.0}, "light_on_duration": "1s"}}},
       "apns": {"headers": {"apns-collapse-id": "a", "apns-priority": "10", "apns-expiration": "1700000000"},
         "payload": {"aps": {"badge": 3, "sound": "default", "alert": {"title": "T"}}}},
       "webpush": {"headers": {"TTL": "60"}, "notification": {"icon": "/i.png", "tag": "w"},
         "fcm_options": {"link": "https://example.org"}},
       "fcm_options": {"analytics_label": "l"}}
      """#
    )
    #expect(message.target == .token("t:1"))
    #expect(message.notificationID == "n1")
    #expect(message.collapseKey == "c")
    #expect(message.tag == "g")
    #expect(message.apnsCollapseID == "a")
    #expect(message.webTag == "w")
    #expect(!message.validateOnly)
  }

  @Test func `what the app shows itself is replaced by the tag in its data`() throws {
    #expect(try validate(#"{"token": "t", "data": {"tag": "a"}}"#).tag == "a")
    #expect(try validate(#"{"token": "t", "data": {"tag": "a"}, "notification": {"title": "T"}}"#).tag == nil)
    let both = #"{"token": "t", "data": {"tag": "a"}, "android": {"notification": {"tag": "b"}}}"#
    #expect(try validate(both).tag == "b")
  }

  @Test func `names may be spelt in camel case`() throws {
    let body =
      #"{"validateOnly": true, "message": {"token": "t", "android": {"collapseKey": "c", "priority": "high"}}}"#
    let message = try FCMValidator.validate(Array(body.utf8))
    #expect(message.collapseKey == "c")
    #expect(message.validateOnly)
  }

  @Test func `a null field counts as absent`() throws {
    #expect(try validate(#"{"token": "t", "topic": null, "data": null}"#).target == .token("t"))
  }

  @Test func `exactly one target is wanted`() {
    #expect(failure("{}")?.message == "Recipient of the message is not set.")
    #expect(failure(#"{"token": "a", "topic": "b"}"#)?.httpStatus == 400)
    #expect(failure(#"{"token": "a", "fid": "b"}"#)?.httpStatus == 400)
    #expect(field(#"{"fid": "with space"}"#) == "message.fid")
    #expect(field(#"{"token": ""}"#) == "message.token")
    #expect(field(#"{"token": "with space"}"#) == "message.token")
    #expect(field(#"{"topic": "/topics/x"}"#) == "message.topic")
  }

  @Test func `an installation ID stands for a token, and allows a message of the same size`() throws {
    #expect(try validate(#"{"fid": "cIrGEp5vRGKoPMlA1Cz7wE"}"#).target == .fid("cIrGEp5vRGKoPMlA1Cz7wE"))
    let message = { (length: Int) in #"{"fid": "f", "data": {"k": "\#(String(repeating: "x", count: length))"}}"# }
    #expect(field(message(4_095)) == nil)
    #expect(field(message(4_096)) == "message")
  }

  @Test func `a condition joins at most five topics`() throws {
    let three = "'a' in topics && ('b' in topics || !('c' in topics))"
    #expect(try validate(#"{"condition": "\#(three)"}"#).target == .condition(three))
    let six = (1...6).map { "'t\($0)' in topics" }.joined(separator: " || ")
    #expect(field(#"{"condition": "\#(six)"}"#) == "message.condition")
    #expect(field(#"{"condition": "'a' in topics; drop"}"#) == "message.condition")
    #expect(field(#"{"condition": "x"}"#) == "message.condition")
  }

  @Test func `data is a map from text to text`() {
    #expect(field(#"{"token": "t", "data": {"a": "b", "n": 1}}"#) == "message.data[1].value")
    #expect(field(#"{"token": "t", "data": []}"#) == "message.data")
  }

  @Test(arguments: ["from", "message_type", "google.x", "googlex", "gcm", "gcm.notification.x"])
  func `reserved keys are refused`(_ key: String) {
    let failure = failure(#"{"token": "t", "data": {"\#(key)": "x"}}"#)
    #expect(failure?.errorCode == "INVALID_ARGUMENT")
    #expect(failure?.message == "Invalid data payload key: \(key)")
  }

  @Test func `unknown fields are refused by name at every depth`() {
    #expect(
      failure(#"{"token": "t", "foo": 1}"#)?.message
        == #"Invalid JSON payload received. Unknown name "foo" at 'message': Cannot find field."#
    )
    #expect(field(#"{"token": "t", "android": {"notification": {"badge": 1}}}"#) == "message.android.notification")
  }

  @Test(arguments: [
    (#""3""#, false), (#""3s""#, true), (#""3.5s""#, true), ("3", false), (#""-1s""#, false), (#""2419200s""#, true),
    (#""2419201s""#, false), (#""1.0000000001s""#, false), (#""s""#, false), (#""3 s""#, false),
  ])
  func `ttl is a duration of at most 28 days`(_ ttl: String, _ isValid: Bool) {
    #expect((field(#"{"token": "t", "android": {"ttl": \#(ttl)}}"#) == nil) == isValid)
  }

  @Test(arguments: [
    (#""android": {"priority": "urgent"}"#, "message.android.priority"),
    (#""android": {"notification": {"color": "red"}}"#, "message.android.notification.color"),
    (#""android": {"notification": {"notification_count": 1.5}}"#, "message.android.notification.notification_count"),
    (#""android": {"notification": {"event_time": "today"}}"#, "message.android.notification.event_time"),
    (#""apns": {"headers": {"apns-priority": "7"}}"#, "message.apns.headers.apns-priority"),
    (#""apns": {"headers": {"apns-expiration": "x"}}"#, "message.apns.headers.apns-expiration"),
    (#""apns": {"payload": "x"}"#, "message.apns.payload"),
    (#""webpush": {"fcm_options": {"link": "http://x"}}"#, "message.webpush.fcm_options.link"),
    (#""webpush": {"headers": {"TTL": "-1"}}"#, "message.webpush.headers.TTL"),
    (#""notification": {"title": 5}"#, "message.notification.title"),
    (#""fcm_options": {"analytics_label": "a b"}"#, "message.fcm_options.analytics_label"),
    (#""fcmOptions": {"analyticsLabel": ""}"#, "message.fcm_options.analytics_label"),
    (#""fcm_options": {"label": "a"}"#, "message.fcm_options"),
    (
      #""android": {"fcm_options": {"analytics_label": "\#(String(repeating: "x", count: 51))"}}"#,
      "message.android.fcm_options.analytics_label"
    ),
    (#""apns": {"fcm_options": {"analytics_label": "ü"}}"#, "message.apns.fcm_options.analytics_label"),
    (#""webpush": {"fcm_options": {"analytics_label": "a/b"}}"#, "message.webpush.fcm_options.analytics_label"),
  ])
  func `a bad value is refused and named`(_ block: String, _ expected: String) {
    #expect(field(#"{"token": "t", \#(block)}"#) == expected)
  }

  @Test func `an APNs collapse id has at most 64 bytes`() {
    let header = { (length: Int) in
      #"{"token": "t", "apns": {"headers": {"apns-collapse-id": "\#(String(repeating: "x", count: length))"}}}"#
    }
    #expect(field(header(64)) == nil)
    #expect(field(header(65)) == "message.apns.headers.apns-collapse-id")
  }

  @Test func `names and values together may have 4,096 bytes, for topics 2,048`() {
    let message = { (target: String, length: Int) in
      #"{"\#(target)": "x", "data": {"k": "\#(String(repeating: "é", count: length / 2))"}, "android": {"ttl": "1s"}}"#
    }
    #expect(field(message("token", 4_094)) == nil)
    #expect(
      failure(message("token", 4_096))?.message == "Android message is too big: 4097 bytes, at most 4096 are allowed"
    )
    #expect(field(message("topic", 2_046)) == nil)
    #expect(field(message("topic", 2_048)) == "message.android")
  }

  @Test func `each platform is measured by itself`() {
    let text = String(repeating: "x", count: 3_000)
    let message = #"{"token": "t", "android": {"data": {"a": "\#(text)"}}, "apns": {"payload": {"a": "\#(text)"}}}"#
    #expect(field(message) == nil)
    let common = #"{"token": "t", "data": {"b": "\#(text)"}, "apns": {"payload": {"a": "\#(text)"}}}"#
    #expect(field(common) == "message.apns")
  }

  @Test func `malformed JSON is an invalid argument`() throws {
    #expect(throws: FCMFailure.self) { try FCMValidator.validate(Array("{".utf8)) }
    #expect(throws: FCMFailure.self) { try FCMValidator.validate(Array("[]".utf8)) }
    #expect(throws: FCMFailure.self) { try FCMValidator.validate(Array("{}".utf8)) }
  }

  @Test func `error bodies carry FCM's code and the violations`() throws {
    let body = try JSONParser.parse(FCMFailure.unregistered.body)
    #expect(body["error"]?["code"]?.integer == 404)
    #expect(body["error"]?["status"] == .string("NOT_FOUND"))
    guard case .array(let details)? = body["error"]?["details"] else {
      Issue.record("no details")
      return
    }
    #expect(details.first?["errorCode"] == .string("UNREGISTERED"))
    #expect(details.first?["@type"] == .string("type.googleapis.com/google.firebase.fcm.v1.FcmError"))
  }
}
