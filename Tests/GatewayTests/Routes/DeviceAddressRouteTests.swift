import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// What registrations say beside an address: its kind, its installation, and what its provider has to know.
@Suite struct DeviceAddressRouteTests {
  private static let devices = "/api/v1/devices"
  private static let native = "/api/v1/notifications/device-token"
  private static let subscriptions = "/api/v1/push-subscriptions"
  private static let app = "4F9C1C1E-0001-4000-8000-00000000000A"
  private static let fid = "cIDAAAAAAAAAAAAAAAAAAA"
  private static let hex = String(repeating: "0a", count: 32)
  private static let publicKey =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
  private static let keys =
    #"{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}"#

  private func logout(_ address: String, _ caller: Caller, _ gateway: TestGateway) async throws {
    let name = try #require(HTTPField.Name("X-Device-Token"))
    _ = try await gateway.call(.delete, "\(Self.devices)/current", as: caller, headers: [name: address])
      .expect(.noContent)
  }

  private func column(_ query: SQLQuery, _ gateway: TestGateway) async throws -> [String] {
    try await gateway.database.query(query).map { try $0.get(0) }
  }

  @Test func `an installation id is a device of FCM, whose kind is kept and shown, and never the id`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let body = #"{"fid":"\#(Self.fid)","platform":2,"installationId":"\#(Self.app)","token":null}"#
      let device = try await gateway.call(.post, Self.devices, as: ann, body: body).expect(.ok)
      #expect(try device.json()["kind"] as? String == "fcm")
      #expect(try device.json()["addressKind"] as? String == "fid")
      #expect(try device.json()["installationId"] as? String == Self.app.lowercased())
      #expect(try await gateway.call(.get, Self.devices, as: ann).expect(.ok).text == "[\(device.text)]")
      #expect(!device.text.contains(Self.fid))
      // The export is the person's own, and has the address.
      let export = try await gateway.call(.get, "/api/v1/me/export", as: ann).expect(.ok).json()
      let exported = try #require((export["devices"] as? [[String: Any]])?.first)
      #expect(exported["addressKind"] as? String == "fid" && exported["token"] as? String == Self.fid)
      #expect(exported["installationId"] as? String == Self.app.lowercased())
      #expect(exported["registeredAt"] as? String == exported["lastUsedAt"] as? String)
      try await logout(Self.fid, ann, gateway)
      #expect(try await gateway.call(.get, Self.devices, as: ann).expect(.ok).text == "[]")
    }
  }

  @Test(arguments: [
    (devices, #"{"platform":2}"#, ["token"]), (devices, #"{"token":null,"fid":null,"platform":2}"#, ["token"]),
    (devices, #"{"token":"t","fid":"f","platform":2}"#, ["fid"]), (devices, #"{"fid":"","platform":2}"#, ["fid"]),
    (devices, #"{"fid":7,"platform":2}"#, ["fid"]), (devices, #"{"fid":"f:APA91b","platform":2}"#, ["fid"]),
    (devices, #"{"fid":"é","platform":11}"#, ["fid", "platform"]),
    (devices, #"{"fid":"\#(String(repeating: "a", count: 129))","platform":2}"#, ["fid"]),
    (devices, #"{"token":"t","platform":2,"installationId":"7"}"#, ["installationId"]),
    (devices, #"{"token":"t","platform":2,"installationId":7}"#, ["installationId"]),
    (subscriptions, #"{"endpoint":"https://a.example.net/1","keys":\#(keys),"installationId":""}"#, ["installationId"]),
  ])
  func `what is neither, or both, or no installation is refused by its name`(
    _ path: String,
    _ body: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test(arguments: [
    (#""environment":"Sandbox""#, ["environment"]), (#""environment":1"#, ["environment"]),
    (#""topic":"""#, ["topic"]), (#""topic":"org.example app""#, ["topic"]), (#""topic":"a\r\nb""#, ["topic"]),
    (#""topic":"\#(String(repeating: "a", count: 256))""#, ["topic"]),
    (#""environment":"","topic":"é","installationId":"x""#, ["environment", "topic", "installationId"]),
  ])
  func `what APNs could not be told is refused by its name`(_ members: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let ann = try await Caller.user()
      let body = #"{"userId":"\#(ann.id)","token":"\#(Self.hex)","platform":"iOS",\#(members)}"#
      let answer = try await gateway.call(.post, Self.native, as: ann, body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `the three registrations of an app are one installation, and go at one logout`() async throws {
    let key = try #require(VAPIDPublicKey(Self.publicKey))
    try await TestGateway.with(vapidPublicKey: key) { gateway in
      let ann = try await Caller.user()
      let app = #""installationId":"\#(Self.app)""#
      for (path, body) in [
        (Self.devices, #"{"token":"fcm","platform":1,\#(app)}"#),
        (
          Self.native,
          #"{"userId":"\#(ann.id)","token":"\#(Self.hex)","platform":"iOS","environment":"sandbox","topic":"org.example.app",\#(app)}"#
        ),
        (
          Self.subscriptions,
          #"{"endpoint":"https://updates.push.services.mozilla.com/1","keys":\#(Self.keys),\#(app)}"#
        ),
      ] {
        let device = try await gateway.call(.post, path, as: ann, body: body).expect(.ok).json()
        #expect(device["installationId"] as? String == Self.app.lowercased())
        #expect((device["addressKind"] == nil) == (path != Self.devices))
      }
      let rows = try await column(
        """
        SELECT concat_ws(' ', platform, apns_environment, apns_topic, vapid_key, installation) FROM devices
        ORDER BY platform
        """,
        gateway
      )
      let id = Self.app.lowercased()
      #expect(
        rows == ["1 \(id)", "11 sandbox org.example.app \(id)", "13 \(try #require(key.id)) \(id)"]
      )
      try await logout(Self.hex.uppercased(), ann, gateway)
      #expect(try await gateway.call(.get, Self.devices, as: ann).expect(.ok).text == "[]")
    }
  }

  @Test(arguments: ["fcm:token", fid, hex, hex.uppercased(), "https://updates.push.services.mozilla.com/1"])
  func `a logout takes an address of whatever kind, and leaves the others`(_ address: String) async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      for (path, body) in [
        (Self.devices, #"{"token":"fcm:token","platform":1}"#), (Self.devices, #"{"fid":"\#(Self.fid)","platform":2}"#),
        (Self.native, #"{"userId":"\#(ann.id)","token":"\#(Self.hex)","platform":"iOS"}"#),
        (Self.subscriptions, #"{"endpoint":"https://updates.push.services.mozilla.com/1","keys":\#(Self.keys)}"#),
      ] {
        _ = try await gateway.call(.post, path, as: ann, body: body).expect(.ok)
      }
      try await logout(address, ann, gateway)
      let left = try await column("SELECT token FROM devices", gateway)
      #expect(left.count == 3 && !left.contains(address.hasPrefix("0") ? Self.hex : address), "\(left)")
    }
  }

  @Test func `a subscription keeps the id of the key that was configured, and none where there is none`() async throws {
    let body = #"{"endpoint":"https://updates.push.services.mozilla.com/1","keys":\#(Self.keys)}"#
    let stored: SQLQuery = "SELECT coalesce(vapid_key, 'none') FROM devices"
    try await TestGateway.with { gateway in
      _ = try await gateway.call(.post, Self.subscriptions, as: .user(), body: body).expect(.ok)
      #expect(try await column(stored, gateway) == ["none"])
    }
    try await TestGateway.with(vapidPublicKey: try #require(VAPIDPublicKey(Self.publicKey))) { gateway in
      _ = try await gateway.call(.post, Self.subscriptions, as: .user(), body: body).expect(.ok)
      #expect(try await column(stored, gateway) == ["-RYOphCUn-Y"])
    }
    #expect(VAPIDPublicKey.none.id == nil)
  }
}
