import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// `POST` and `GET /api/v1/devices`, and what becomes of a device.
@Suite struct DeviceRouteTests {
  private let path = "/api/v1/devices"

  @Test func `a registered device is listed without its token`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let body = #"{"token":"fcm:token-1","platform":2,"deviceName":"Ann’s Pixel","appVersion":"1.4"}"#
      let device = try await gateway.call(.post, path, as: ann, body: body).expect(.ok)
      #expect(try device.json()["platform"] as? Int == 2)
      #expect(try device.json()["kind"] as? String == "fcm")
      #expect(try device.json()["deviceName"] as? String == "Ann’s Pixel")
      #expect(try device.json()["isActive"] as? Bool == true)
      let list = try await gateway.call(.get, path, as: ann).expect(.ok)
      #expect(list.text == "[\(device.text)]")
      #expect(!list.text.contains("token-1"))
      #expect(try await gateway.call(.get, path, as: .user()).expect(.ok).text == "[]")
    }
  }

  @Test(arguments: [
    ("{}", ["token", "platform"]), (#"{"token":"","platform":4}"#, ["token", "platform"]),
    (#"{"token":"t","platform":"iOS"}"#, ["platform"]),
    // Codes of devices over their own services, which FCM would take for gone.
    (#"{"token":"t","platform":11}"#, ["platform"]), (#"{"token":"t","platform":13}"#, ["platform"]),
    (#"{"token":"t\u0000","platform":1}"#, ["token"]),
    (#"{"token":"t","platform":1,"deviceName":"a\nb","appVersion":7}"#, ["deviceName", "appVersion"]),
  ])
  func `a registration that cannot be read is refused with every field's name`(
    _ body: String,
    _ fields: [String]
  ) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test func `limits count bytes as well as characters`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let ann = try await Caller.user()
      // A letter under thousands of accents is one character.
      let tall = "a" + String(repeating: "\u{301}", count: 10_000)
      let answer = try await gateway.call(
        .post,
        path,
        as: ann,
        body: #"{"token":"t","platform":1,"deviceName":"\#(tall)"}"#
      )
      #expect(try answer.expectProblem("validation", .badRequest) == ["deviceName"])
      let token = String(repeating: "é", count: 1_025)
      let long = try await gateway.call(.post, path, as: ann, body: #"{"token":"\#(token)","platform":1}"#)
      #expect(try long.expectProblem("validation", .badRequest) == ["token"])
    }
  }

  @Test func `hundreds of registrations leave a list of bounded length`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      for number in 0..<60 {
        _ = try await gateway.call(.post, path, as: ann, body: #"{"token":"token \#(number)","platform":1}"#).expect(
          .ok
        )
      }
      let list = try await gateway.call(.get, path, as: ann).expect(.ok)
      let devices = try #require(try JSONSerialization.jsonObject(with: list.body) as? [[String: Any]])
      #expect(devices.count == DeviceStore.maximumKept)
      #expect(devices.count { $0["isActive"] as? Bool == true } == DeviceStore.maximumActive)
    }
  }

  private func register(_ token: String, _ caller: Caller, _ gateway: TestGateway) async throws -> String {
    let body = #"{"token":"\#(token)","platform":2}"#
    let device = try await gateway.call(.post, path, as: caller, body: body).expect(.ok)
    return try #require(try device.json()["id"] as? String)
  }

  private func ids(_ caller: Caller, _ gateway: TestGateway) async throws -> [String?] {
    let list = try await gateway.call(.get, path, as: caller).expect(.ok)
    let devices = try #require(try JSONSerialization.jsonObject(with: list.body) as? [[String: Any]])
    return devices.map { $0["id"] as? String }
  }

  @Test func `a device is deleted by its owner, once`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let bob = try await Caller.user()
      let phone = try await register("phone", ann, gateway)
      let tablet = try await register("tablet", ann, gateway)
      try await gateway.call(.delete, "\(path)/\(phone)", as: bob).expectProblem("not-found", .notFound)
      #expect(try await ids(ann, gateway) == [tablet, phone])
      let answer = try await gateway.call(.delete, "\(path)/\(phone.uppercased())", as: ann).expect(.noContent)
      #expect(answer.body.isEmpty)
      #expect(try await ids(ann, gateway) == [tablet])
      try await gateway.call(.delete, "\(path)/\(phone)", as: ann).expectProblem("not-found", .notFound)
      try await gateway.call(.delete, "\(path)/phone", as: ann).expectProblem("not-found", .notFound)
    }
  }

  @Test func `a logout deletes the device that calls, and no other user's`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let bob = try await Caller.user()
      let phone = try await register("phone", ann, gateway)
      let name = try #require(HTTPField.Name("X-Device-Token"))
      for token in ["phone", "tablet"] {
        _ = try await gateway.call(.delete, "\(path)/current", as: bob, headers: [name: token]).expect(.noContent)
      }
      #expect(try await ids(ann, gateway) == [phone])
      // What a logout did before is no error.
      for _ in 1...2 {
        _ = try await gateway.call(.delete, "\(path)/current", as: ann, headers: [name: "phone"]).expect(.noContent)
        #expect(try await ids(ann, gateway) == [])
      }
    }
  }

  @Test(arguments: [nil, "", String(repeating: "t", count: 2_049)])
  func `a logout without a token that can be one is refused`(_ token: String?) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let name = try #require(HTTPField.Name("X-Device-Token"))
      var headers: HTTPFields = [:]
      headers[name] = token
      let answer = try await gateway.call(.delete, "\(path)/current", as: .user(), headers: headers)
      #expect(try answer.expectProblem("validation", .badRequest) == ["X-Device-Token"])
    }
  }

  @Test func `an answer about permission is for one's own devices, and counts once for each`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let phone = try await register("phone", ann, gateway)
      let permission = "\(path)/\(phone)/permission"
      for status in ["requested", "granted", "granted", "denied", "granted"] {
        let body = #"{"status":"\#(status)"}"#
        try await gateway.call(.put, permission, as: .user(), body: body).expectProblem("not-found", .notFound)
        _ = try await gateway.call(.put, permission, as: ann, body: body).expect(.noContent)
      }
      let counts = try await gateway.database.query(
        "SELECT concat_ws(' ', sum(asked), sum(granted), sum(denied)) FROM stats"
      )
      #expect(try counts.first?.get(0, as: String.self) == "1 1 1")
    }
  }

  @Test(arguments: [#"{}"#, #"{"status":null}"#, #"{"status":"Granted"}"#, #"{"status":2}"#])
  func `an answer about permission that is none is refused`(_ body: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let id = "019a8b7c-6d5e-7f40-8123-456789abcdef"
      let answer = try await gateway.call(.put, "\(path)/\(id)/permission", as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == ["status"])
    }
  }
}
