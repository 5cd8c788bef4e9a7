import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Testing

@testable import Gateway

/// `POST /api/v1/notifications/device-token`
@Suite struct NativeDeviceRouteTests {
  private let path = "/api/v1/notifications/device-token"
  private let token = Self.token
  /// 32 bytes.
  private static let token = "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad"

  private func body(_ user: UserID, token: String? = nil, platform: String = "iOS") -> String {
    #"{"userId":"\#(user)","token":"\#(token ?? self.token)","platform":"\#(platform)"}"#
  }

  @Test func `a native token is a device of iOS, known by its bytes`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let first = try await gateway.call(.post, path, as: ann, body: body(ann.id)).expect(.ok)
      #expect(try first.json()["platform"] as? Int == 1)
      #expect(try first.json()["kind"] as? String == "apns")
      #expect(!first.text.contains(token))
      let upper = body(ann.id, token: token.uppercased())
      let again = try await gateway.call(.post, path, as: ann, body: upper).expect(.ok)
      #expect(try again.json()["id"] as? String == first.json()["id"] as? String)
      let name = try #require(HTTPField.Name("X-Device-Token"))
      _ = try await gateway.call(.delete, "/api/v1/devices/current", as: ann, headers: [name: token.uppercased()])
        .expect(.noContent)
      #expect(try await gateway.call(.get, "/api/v1/devices", as: ann).expect(.ok).text == "[]")
    }
  }

  @Test func `a token cannot be registered for somebody else`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: body(UserID(UUID())))
      #expect(try answer.expectProblem("validation", .badRequest) == ["userId"])
    }
  }

  @Test(arguments: [
    ("{}", ["userId", "token", "platform"]),
    (#"{"userId":"","token":"","platform":"ios"}"#, ["userId", "token", "platform"]),
    (#"{"userId":1,"token":"7g","platform":1}"#, ["userId", "token", "platform"]),
  ])
  func `what cannot be read is refused with every field's name`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await gateway.call(.post, path, as: .user(), body: body)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }

  @Test(arguments: [
    token + "0", "７４" + token.dropFirst(2), " " + token, token.dropLast() + "f\u{301}", "7g" + token.dropFirst(2), "74",
    String(token.dropLast(2)), String(repeating: "0a", count: 101), String(repeating: "0a", count: 1_025),
  ])
  func `what is no bytes in hex, or too few or too many, is no token`(_ token: String) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let ann = try await Caller.user()
      let answer = try await gateway.call(.post, path, as: ann, body: body(ann.id, token: token))
      #expect(try answer.expectProblem("validation", .badRequest) == ["token"])
    }
  }

  @Test func `a token may have up to a hundred bytes, and one that an earlier release took may have any number`()
    async throws
  {
    try await TestGateway.with { gateway in
      let ann = try await Caller.user()
      let long = body(ann.id, token: String(repeating: "0a", count: 100))
      _ = try await gateway.call(.post, path, as: ann, body: long).expect(.ok)
      _ = try await DeviceStore(client: gateway.database).register(.init(token: "0a0b", platform: .apns), of: ann.id)
      let name = try #require(HTTPField.Name("X-Device-Token"))
      _ = try await gateway.call(.delete, "/api/v1/devices/current", as: ann, headers: [name: "0A0B"]).expect(
        .noContent
      )
      #expect(try await gateway.call(.get, "/api/v1/devices", as: ann).expect(.ok).text.matches(of: /"id"/).count == 1)
    }
  }
}
