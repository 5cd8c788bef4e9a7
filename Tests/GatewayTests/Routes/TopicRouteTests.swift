import Foundation
import HTTPTypes
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Gateway

/// `/api/v1/topics/{topic}/users/{userId}` and `…/devices/{id}`.
@Suite struct TopicRouteTests {
  private func subscriptions(_ gateway: TestGateway) async throws -> [String] {
    try await gateway.database.query(
      "SELECT topic || ' ' || user_id || ' ' || device_id FROM topic_subscriptions ORDER BY 1"
    ).map { try $0.get(0) }
  }

  private func device(
    _ gateway: TestGateway,
    of user: UserID,
    _ platform: DevicePlatform = .android
  ) async throws -> DeviceID {
    let registration = DeviceStore.Registration(token: "token-\(UUID())", platform: platform)
    return try await DeviceStore(client: gateway.database).register(registration, of: user).id
  }

  @Test func `a person is subscribed and unsubscribed, as often as anybody asks`() async throws {
    try await TestGateway.with { gateway in
      let (shop, ann) = (try await Caller.service(), UserID(UUID()))
      for (path, topic) in [("news", "news"), ("100%2525", "100%25"), ("a%7Eb", "a~b")] {
        for _ in 0..<2 {
          _ = try await gateway.call(.put, "/api/v1/topics/\(path)/users/\(ann)", as: shop).expect(.noContent)
        }
        #expect(try await subscriptions(gateway) == ["\(topic) \(ann) 00000000-0000-0000-0000-000000000000"])
        for _ in 0..<2 {
          _ = try await gateway.call(.delete, "/api/v1/topics/\(path)/users/\(ann)", as: shop).expect(.noContent)
        }
        #expect(try await subscriptions(gateway).isEmpty)
      }
    }
  }

  @Test func `who is no UUID is subscribed by the id that the backend has`() async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      _ = try await gateway.call(.put, "/api/v1/topics/news/users/ann%407", as: shop).expect(.noContent)
      #expect(try await subscriptions(gateway).count == 1)
      _ = try await gateway.call(.delete, "/api/v1/topics/news/users/ann%407", as: shop).expect(.noContent)
      #expect(try await subscriptions(gateway).isEmpty)
    }
  }

  @Test func `one device is subscribed, if it is FCM's`() async throws {
    try await TestGateway.with { gateway in
      let (shop, ann) = (try await Caller.service(), UserID(UUID()))
      let phone = try await device(gateway, of: ann)
      let path = "/api/v1/topics/news/devices"
      for _ in 0..<2 { _ = try await gateway.call(.put, "\(path)/\(phone)", as: shop).expect(.noContent) }
      #expect(try await subscriptions(gateway) == ["news \(ann) \(phone)"])
      for platform in [DevicePlatform.apns, .webPush] {
        let other = try await device(gateway, of: ann, platform)
        let answer = try await gateway.call(.put, "\(path)/\(other)", as: shop)
        #expect(try answer.expectProblem("validation", .badRequest) == ["id"])
      }
      #expect(try await subscriptions(gateway).count == 1)
      for id in [UUID().uuidString, "phone"] {
        try await gateway.call(.put, "\(path)/\(id)", as: shop).expectProblem("not-found", .notFound)
        try await gateway.call(.delete, "\(path)/\(id)", as: shop).expectProblem("not-found", .notFound)
      }
      for _ in 0..<2 { _ = try await gateway.call(.delete, "\(path)/\(phone)", as: shop).expect(.noContent) }
      #expect(try await subscriptions(gateway).isEmpty)
    }
  }

  @Test(arguments: ["a%20b", "%2E", "%2E%2E", "n%C3%A4chstes", String(repeating: "t", count: 901)])
  func `what is no topic is refused before anything is stored`(_ topic: String) async throws {
    try await TestGateway.with { gateway in
      let shop = try await Caller.service()
      for target in ["users/\(UserID(UUID()))", "devices/\(DeviceID(UUID()))"] {
        let answer = try await gateway.call(.put, "/api/v1/topics/\(topic)/\(target)", as: shop)
        #expect(try answer.expectProblem("validation", .badRequest) == ["topic"])
      }
    }
  }

  @Test func `a person has no more topics than FCM lets an app have`() async throws {
    try await TestGateway.with { gateway in
      let (shop, ann) = (try await Caller.service(), UserID(UUID()))
      _ = try await gateway.database.query(
        "INSERT INTO topic_subscriptions (user_id, topic) SELECT \(ann), 't' || n FROM generate_series(1, 2000) AS n"
      )
      let path = "/api/v1/topics"
      try await gateway.call(.put, "\(path)/more/users/\(ann)", as: shop).expectProblem("limit-reached", .conflict)
      _ = try await gateway.call(.put, "\(path)/t7/users/\(ann)", as: shop).expect(.noContent)
      _ = try await gateway.call(.put, "\(path)/more/users/\(UserID(UUID()))", as: shop).expect(.noContent)
    }
  }
}
