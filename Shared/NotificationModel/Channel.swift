/// A way to reach a recipient. Codes as in the push notification specification (`NotificationChannel`).
public enum Channel: Int, Sendable, Codable, CaseIterable, Hashable {
  case inApp = 1
  case push = 2
  case email = 3

  /// Name in JSON, YAML and the delivery log.
  public var name: String {
    switch self {
    case .inApp: "inApp"
    case .push: "push"
    case .email: "email"
    }
  }

  /// Reads a code (1, 2, 3) or a name without regard to case.
  public init?(code: Int) { self.init(rawValue: code) }

  public init?(name: String) {
    guard let channel = Self.allCases.first(where: { $0.name.lowercased() == name.lowercased() }) else { return nil }
    self = channel
  }
}

/// One value per channel.
public struct PerChannel<Value> {
  public var inApp: Value
  public var push: Value
  public var email: Value

  public init(inApp: Value, push: Value, email: Value) {
    self.inApp = inApp
    self.push = push
    self.email = email
  }

  public subscript(channel: Channel) -> Value {
    get {
      switch channel {
      case .inApp: inApp
      case .push: push
      case .email: email
      }
    }
    set {
      switch channel {
      case .inApp: inApp = newValue
      case .push: push = newValue
      case .email: email = newValue
      }
    }
  }
}

extension PerChannel: Sendable where Value: Sendable {}
extension PerChannel: Equatable where Value: Equatable {}
extension PerChannel: Codable where Value: Codable {}
