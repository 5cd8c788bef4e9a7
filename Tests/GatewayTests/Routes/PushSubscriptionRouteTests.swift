import HTTPTypes
import NotificationModel
import Postgres
import Testing

@testable import Gateway

/// `POST /api/v1/push-subscriptions` and the key to subscribe with.
@Suite struct PushSubscriptionRouteTests {
  private let path = "/api/v1/push-subscriptions"

  /// RFC 8291, appendix A.
  private static let p256dh =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  /// No point of the curve.
  private static let offCurve =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw8"
  private static let newKey =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
  private static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
  private static let endpoint = "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk"

  private static func body(
    endpoint: String = endpoint,
    p256dh: String = p256dh,
    auth: String = auth,
    expirationTime: String = "null"
  ) -> String {
    #"{"endpoint":"\#(endpoint)","expirationTime":\#(expirationTime),"keys":{"p256dh":"\#(p256dh)","auth":"\#(auth)"}}"#
  }

  @Test func `a subscription is a device of the web, and keeps its keys`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let first = try await gateway.call(.post, path, as: ann, body: Self.body()).expect(.ok)
      #expect(try first.json()["platform"] as? Int == 3)
      #expect(try first.json()["kind"] as? String == "webPush")
      #expect(try first.json()["isActive"] as? Bool == true)
      #expect(!first.text.contains("updates.push.services.mozilla.com") && !first.text.contains(Self.auth))
      // As some browsers write them, and with a time that nobody needs.
      let padded = Self.body(p256dh: Self.p256dh + "=", auth: Self.auth + "==", expirationTime: "1893456000000")
      let again = try await gateway.call(.post, path, as: ann, body: padded).expect(.ok)
      #expect(try again.json()["id"] as? String == first.json()["id"] as? String)
      let list = try await gateway.call(.get, "/api/v1/devices", as: ann).expect(.ok)
      #expect(list.text == "[\(again.text)]")
      let rows = try await gateway.database.query(
        "SELECT platform, token, keys ->> 'p256dh' AS p256dh, keys ->> 'auth' AS auth FROM devices"
      )
      let row = try #require(rows.first)
      #expect(try row.get("platform", as: Int.self) == 13)
      #expect(try row.get("token", as: String.self) == Self.endpoint)
      #expect(try row.get("p256dh", as: String.self) == Self.p256dh)
      #expect(try row.get("auth", as: String.self) == Self.auth)
    }
  }

  @Test(arguments: [
    ("{}", ["endpoint", "keys"]), (#"{"endpoint":7,"keys":[]}"#, ["endpoint", "keys"]),
    (#"{"endpoint":"","keys":{}}"#, ["endpoint", "keys.p256dh", "keys.auth"]),
    (body(p256dh: auth, auth: p256dh), ["keys.p256dh", "keys.auth"]),
    (body(p256dh: p256dh + "===", auth: "BTBZMqHH6r4Tts7J/aSIgg"), ["keys.p256dh", "keys.auth"]),
    (body(p256dh: offCurve), ["keys.p256dh"]),
    (body(auth: String(repeating: "A", count: 100_000)), ["keys.auth"]),
  ])
  func `what cannot be read is refused with every field's name`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test(arguments: [
    "http://updates.push.services.mozilla.com/1", "https://", "https:///1",
    "https://ann:secret@updates.push.services.mozilla.com/1", "updates.push.services.mozilla.com",
    "https://updates.push.services.mozilla.com/1#2", "https://updates.push.services.mozilla.com/a b",
    "https://updates.push.services.mozilla.com/ä",
    "HTTPS://updates.push.services.mozilla.com/1",
    "https://updates.push.services.mozilla.com/" + String(repeating: "a", count: 2_048),
  ])
  func `what can be no push service's is no endpoint`(_ endpoint: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: Self.body(endpoint: endpoint))
      #expect(try answer.expectProblem("validation", .badRequest) == ["endpoint"])
    }
  }

  @Test(arguments: [
    "localhost", "LocalHost.", "a.localhost", "gateway", "printer.local", "db.internal", "nas.home.arpa", "127.0.0.1",
    "127.1",
    "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "10.1.2.3", "100.64.0.1", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.168.1.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "8.8.8.256", "8.8.8.08", "[::1]",
    "[::]",
    "[fe80::1]", "[fd00::1]", "[fec0::1]", "[ff02::1]", "[::ffff:127.0.0.1]", "[::ffff:a01:203]", "[64:ff9b::10.0.0.1]",
    "[2002:7f00:1::]", "%6cocalhost", "l%2Eocalhost.example.net", "a..example.net",
  ])
  func `an endpoint in a private network is refused`(_ host: String) async throws {
    let body = Self.body(endpoint: "https://\(host)/wpush/1")
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["endpoint"])
    }
  }

  @Test(arguments: ["push.example.net", "mozilla.com", "notfcm.googleapis.com", "8.8.8.8", "fcm.googleapis.com:8443"])
  func `an endpoint of another host, or at another port, is refused unless the deployment lists it`(_ host: String)
    async throws
  {
    let body = Self.body(endpoint: "https://\(host)/wpush/1")
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["endpoint"])
    }
    try await TestGateway.with(pushHosts: try #require(PushServiceHosts(host))) { gateway in
      _ = try await gateway.call(.post, path, as: .user(), body: body).expect(.ok)
    }
  }

  @Test func `a private endpoint is taken where a deployment lists its host, and allows it`() async throws {
    let hosts = try #require(PushServiceHosts("localhost:7070"))
    let body = Self.body(endpoint: "https://localhost:7070/wpush/1")
    try await TestGateway.with(pushHosts: hosts, allowsPrivateEndpoints: true) { gateway in
      _ = try await gateway.call(.post, path, as: .user(), body: body).expect(.ok)
    }
    try await TestGateway.with(pushHosts: hosts) { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["endpoint"])
    }
  }

  @Test func `a subscription keeps the key that it was made with, though the deployment's is another by now`()
    async throws
  {
    let (old, new) = (try #require(VAPIDPublicKey(Self.p256dh)), try #require(VAPIDPublicKey(Self.newKey)))
    try await TestGateway.with(vapidPublicKey: new) { gateway in
      let ann = try await Caller.user()
      func stored() async throws -> [String] {
        try await gateway.database.query("SELECT vapid_key FROM devices").map { try $0.get(0, as: String.self) }
      }
      // The browser says it.
      let said = Self.body().dropLast() + #","applicationServerKey":"\#(Self.p256dh)"}"#
      _ = try await gateway.call(.post, path, as: ann, body: String(said)).expect(.ok)
      #expect(try await stored() == [try #require(old.id)])
      // It does not any more: at its next start, or another user's.
      _ = try await gateway.call(.post, path, as: ann, body: Self.body()).expect(.ok)
      _ = try await gateway.call(.post, path, as: .user(), body: Self.body()).expect(.ok)
      #expect(try await stored() == [try #require(old.id)])
      // Another one is made with the key of today.
      let other = Self.body(endpoint: Self.endpoint + "2")
      _ = try await gateway.call(.post, path, as: ann, body: other).expect(.ok)
      #expect(Set(try await stored()) == [try #require(old.id), try #require(new.id)])
    }
  }

  @Test(arguments: [#""BP4z""#, "7", "\"\(auth)\"", "\"\(offCurve)\""])
  func `what is no key is none that a subscription was made with`(
    _ key: String
  ) async throws {
    let body = String(Self.body().dropLast() + #","applicationServerKey":\#(key)}"#)
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["applicationServerKey"])
    }
  }

  @Test func `the key is given where there is one`() async throws {
    let text = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    let key = try #require(VAPIDPublicKey(text))
    try await TestGateway.with(vapidPublicKey: key) { gateway in
      let answer = try await gateway.call(.get, "\(path)/key", as: .user()).expect(.ok)
      #expect(answer.text == #"{"publicKey":"\#(text)"}"#)
    }
    try await TestGateway.withoutDatabase { gateway in
      try await gateway.call(.get, "\(path)/key", as: .user()).expectProblem("not-found", .notFound)
    }
  }

  @Test func `a setting that is no key of P-256 is none`() {
    #expect(VAPIDPublicKey(Self.p256dh)?.description == Self.p256dh)
    #expect(VAPIDPublicKey(Self.p256dh + "=") == nil)
    #expect(VAPIDPublicKey(Self.auth) == nil)
    #expect(VAPIDPublicKey(Self.offCurve) == nil)
    // Not uncompressed.
    #expect(VAPIDPublicKey("A" + Self.p256dh.dropFirst()) == nil)
    #expect(VAPIDPublicKey("") == nil)
    #expect(VAPIDPublicKey.none.description.isEmpty)
  }
}
