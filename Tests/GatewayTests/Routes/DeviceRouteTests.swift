import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import Gateway

/// `POST` and `GET /api/v1/devices`
@Suite struct DeviceRouteTests {
  private let path = "/api/v1/devices"

  @Test func `a registered device is listed without its token`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let body = #"{"token":"fcm:token-1","platform":2,"deviceName":"Ann’s Pixel","appVersion":"1.4"}"#
      let device = try await gateway.call(.post, path, as: ann, body: body).expect(.ok)
      #expect(try device.json()["platform"] as? Int == 2)
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
}
