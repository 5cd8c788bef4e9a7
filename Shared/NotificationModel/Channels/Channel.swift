/// A way to reach a recipient. Codes as in the push notification specification (`NotificationChannel`).
///
/// A code without a ``RoutingChannel`` is a channel of another version: it is kept as it came and not acted on.
public struct Channel: RawRepresentable, Sendable, Hashable, Comparable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  public static func < (left: Channel, right: Channel) -> Bool { left.rawValue < right.rawValue }
}

extension Channel: CaseIterable {
  /// The channels of this version, by ascending code: one line each.
  public static func routing(pushingBy providers: PushProviders) -> [any RoutingChannel] {
    [
      InAppRouting(),
      PushRouting(deployed: providers),
      EmailRouting(),
    ]
  }

  /// The same where nobody says who carries pushes, and for what does not depend on that.
  public static let routing: [any RoutingChannel] = routing(pushingBy: .standard)

  public static let allCases: [Channel] = routing.map(\.channel)

  /// Name in JSON, YAML and the delivery log; of a channel of another version its code.
  public var name: String { Self.routing.first { $0.channel == self }?.name ?? String(rawValue) }

  /// Name within a sentence.
  public var label: String { Self.routing.first { $0.channel == self }?.label ?? String(rawValue) }

  /// This version's channels as problems name them: `inApp (1)`, ….
  static var known: [String] { allCases.map { "\($0.name) (\($0.rawValue))" } }

  /// The same as a sentence names them: `a, b or c`.
  static var alternatives: String {
    let names = known
    return "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
  }

  /// One of this version's channels, by its code.
  public init?(code: Int) {
    self.init(rawValue: code)
    guard Self.allCases.contains(self) else { return nil }
  }

  /// One of this version's channels, by its name without regard to case.
  public init?(name: String) {
    guard let found = Self.routing.first(where: { $0.name.lowercased() == name.lowercased() }) else { return nil }
    self = found.channel
  }
}
