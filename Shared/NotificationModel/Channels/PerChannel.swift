/// Values keyed by channel. They are few, so they stand in a row and nothing is hashed: there is one for each recipient.
public struct PerChannel<Value> {
  public struct Entry {
    public let channel: Channel
    public var value: Value
  }

  /// By ascending code.
  public private(set) var entries: [Entry]

  public init() {
    entries = []
  }

  /// - Parameter channels: Each once, by ascending code.
  init(_ channels: [any RoutingChannel], _ value: (any RoutingChannel) -> Value) {
    entries = channels.map { Entry(channel: $0.channel, value: value($0)) }
  }

  public init(inApp: Value, push: Value, email: Value) {
    entries = [
      Entry(channel: .inApp, value: inApp), Entry(channel: .push, value: push), Entry(channel: .email, value: email),
    ]
  }

  /// Nil where there is no value.
  public subscript(channel: Channel) -> Value? {
    // Inlinable, and a loop: else it stays generic for other modules, and the router asks six times for each notification.
    @inlinable get {
      for entry in entries where entry.channel == channel { return entry.value }
      return nil
    }
    set {
      let place = entries.firstIndex { $0.channel >= channel } ?? entries.endIndex
      if entries.indices.contains(place), entries[place].channel == channel { entries.remove(at: place) }
      if let newValue { entries.insert(Entry(channel: channel, value: newValue), at: place) }
    }
  }
}

extension PerChannel.Entry: Sendable where Value: Sendable {}
extension PerChannel.Entry: Equatable where Value: Equatable {}
extension PerChannel: Sendable where Value: Sendable {}
extension PerChannel: Equatable where Value: Equatable {}

/// Choices: what is not chosen is off.
extension PerChannel<Bool> {
  public var inApp: Bool { self[.inApp] ?? false }
  public var push: Bool { self[.push] ?? false }
  public var email: Bool { self[.email] ?? false }
}
