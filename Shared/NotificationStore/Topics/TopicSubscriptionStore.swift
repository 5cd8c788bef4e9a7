public import Foundation
public import NotificationModel
public import Postgres

/// Who is to be subscribed to which topic of FCM. Triggers plan what FCM is told of it (``TopicRegistrationStore``).
public struct TopicSubscriptionStore: Sendable {
  public enum Outcome: Sendable, Equatable {
    case subscribed
    /// There is no such device.
    case noDevice
    /// The device is another provider's.
    case notFCM
    /// The user has ``maximumTopics`` already.
    case full
  }

  /// Topics of one user: as many as FCM lets an app's instance have.
  public static let maximumTopics = 2_000

  private let client: PostgresClient
  private let limit: Int

  public init(client: PostgresClient) {
    self.init(client: client, limit: Self.maximumTopics)
  }

  init(client: PostgresClient, limit: Int) {
    self.client = client
    self.limit = limit
  }

  /// Subscribes all devices of a user, those that come later too. Who is subscribed stays so.
  ///
  /// - Parameter asked: When the caller asked for it: of a user who was erased since nothing is written.
  public func subscribe(_ user: UserID, to topic: String, asked: Date = .now) async throws -> Outcome {
    try await subscribe(user, nil, to: topic, asked: asked)
  }

  /// Subscribes one device.
  public func subscribe(_ device: DeviceID, to topic: String, asked: Date = .now) async throws -> Outcome {
    guard let row = try await client.query(Self.owner(of: device)).first else { return .noDevice }
    guard DevicePlatform(rawValue: try row.get("platform"))?.carrier == .fcm else { return .notFCM }
    return try await subscribe(try row.get("user_id"), device, to: topic, asked: asked)
  }

  /// Ends all subscriptions of a user to the topic, those of single devices too.
  public func unsubscribe(_ user: UserID, from topic: String) async throws {
    _ = try await client.transaction([
      Self.lock(user), "DELETE FROM topic_subscriptions WHERE user_id = \(user) AND topic = \(topic)",
    ])
  }

  /// Ends a device's own subscription; that of its user stays.
  ///
  /// - Returns: Whether there is such a device.
  public func unsubscribe(_ device: DeviceID, from topic: String) async throws -> Bool {
    guard let row = try await client.query(Self.owner(of: device)).first else { return false }
    let user: UserID = try row.get("user_id")
    _ = try await client.transaction([
      Self.lock(user),
      "DELETE FROM topic_subscriptions WHERE user_id = \(user) AND topic = \(topic) AND device_id = \(device)",
    ])
    return true
  }

  private func subscribe(_ user: UserID, _ device: DeviceID?, to topic: String, asked: Date) async throws -> Outcome {
    let results = try await client.transaction([
      Self.lock(user), Self.insertion(user, device, topic, asked: asked, limit: limit),
      Self.state(user, device, topic, asked: asked),
    ])
    guard let row = results[2].first else { preconditionFailure("SELECT of values has a row") }
    if try row.get(0) { return .subscribed }
    // It has gone since it was looked up.
    return try row.get(1) ? .full : .noDevice
  }

  // MARK: Statements

  static func owner(of device: DeviceID) -> SQLQuery { "SELECT user_id, platform FROM devices WHERE id = \(device)" }

  /// That of registrations of the user's devices (``DeviceStore``): who subscribes sees each device, or its registration the
  /// subscription.
  private static func lock(_ user: UserID) -> SQLQuery {
    "SELECT pg_advisory_xact_lock(hashtextextended(\(user)::uuid::text, 0))"
  }

  static func insertion(_ user: UserID, _ device: DeviceID?, _ topic: String, asked: Date, limit: Int) -> SQLQuery {
    """
    INSERT INTO topic_subscriptions (user_id, topic, device_id)
    SELECT \(user), \(topic), \(device ?? all)
    WHERE NOT EXISTS (SELECT FROM erased_users WHERE user_id = \(user) AND erased_at >= \(asked))
      AND (\(device == nil) OR EXISTS (SELECT FROM devices WHERE user_id = \(user) AND id = \(device ?? all)))
      AND \(limit) > (SELECT count(*) FROM topic_subscriptions WHERE user_id = \(user))
    ON CONFLICT DO NOTHING
    """
  }

  /// Whether it is subscribed, as far as anybody asks; and whether the device is there.
  static func state(_ user: UserID, _ device: DeviceID?, _ topic: String, asked: Date) -> SQLQuery {
    """
    SELECT EXISTS (
        SELECT FROM topic_subscriptions WHERE user_id = \(user) AND topic = \(topic) AND device_id = \(device ?? all)
      ) OR EXISTS (SELECT FROM erased_users WHERE user_id = \(user) AND erased_at >= \(asked)),
      \(device == nil) OR EXISTS (SELECT FROM devices WHERE user_id = \(user) AND id = \(device ?? all))
    """
  }

  /// In the place of a device: all of the user's.
  static let all = DeviceID(.beforeAll)
}
