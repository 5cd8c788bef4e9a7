public import Foundation

/// Where a token of APNs is valid, and since when. What is nil is the deployment's.
public struct APNsAddress: Sendable, Equatable {
  /// The two services of APNs; the raw value is the name in JSON, in settings and in the database.
  public enum Environment: String, Sendable, CaseIterable {
    case production, sandbox
  }

  public var environment: Environment?
  /// The app's bundle id.
  public var topic: String?
  /// When the app sent the token last: APNs' 410 counts only if it knew of the end later.
  public var registeredAt: Date?

  public init(environment: Environment? = nil, topic: String? = nil, registeredAt: Date? = nil) {
    self.environment = environment
    self.topic = topic
    self.registeredAt = registeredAt
  }
}
