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
  public var name: String { name(among: Self.routing) }

  /// Name within a sentence.
  public var label: String { label(among: Self.routing) }

  /// The same where the channels are not those of this version alone.
  public func name(among channels: [any RoutingChannel]) -> String {
    channels.first { $0.channel == self }?.name ?? String(rawValue)
  }

  /// As ``name(among:)``.
  public func label(among channels: [any RoutingChannel]) -> String {
    channels.first { $0.channel == self }?.label ?? String(rawValue)
  }

  /// Channels as problems name them: `inApp (1)`, ….
  static func known(among channels: [any RoutingChannel]) -> [String] {
    channels.map { "\($0.name) (\($0.channel.rawValue))" }
  }

  /// The same as a sentence names them: `a, b or c`.
  static func alternatives(among channels: [any RoutingChannel]) -> String {
    let names = known(among: channels)
    return "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
  }

  /// One of the channels, by its code.
  public init?(code: Int, among channels: [any RoutingChannel] = routing) {
    self.init(rawValue: code)
    guard channels.contains(where: { $0.channel == self }) else { return nil }
  }

  /// One of the channels, by its name without regard to case.
  public init?(name: String, among channels: [any RoutingChannel] = routing) {
    guard let found = channels.first(where: { $0.name.lowercased() == name.lowercased() }) else { return nil }
    self = found.channel
  }
}
