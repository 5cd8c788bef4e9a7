/// What somebody chose, channel by channel: on, off, or nothing. A value of two words: there are two for each recipient.
///
/// It keeps channels whose code is 0..<64; others can have no choice.
public struct ChannelChoices: Sendable, Hashable {
  /// A bit for each channel of which something was chosen: that of its code.
  public private(set) var chosen: UInt64 = 0
  /// Those that are on; no bit outside `chosen`.
  public private(set) var on: UInt64 = 0

  public init() {}

  /// - Parameter on: Bits outside `chosen` are left out.
  public init(chosen: UInt64, on: UInt64) {
    self.chosen = chosen
    self.on = on & chosen
  }

  public init(inApp: Bool? = nil, push: Bool? = nil, email: Bool? = nil) {
    self[.inApp] = inApp
    self[.push] = push
    self[.email] = email
  }

  public init(_ values: PerChannel<Bool>) {
    for entry in values.entries { self[entry.channel] = entry.value }
  }

  public var isEmpty: Bool { chosen == 0 }

  /// Nil where nothing was chosen.
  public subscript(channel: Channel) -> Bool? {
    get {
      let bit = Self.bit(channel)
      return chosen & bit == 0 ? nil : on & bit != 0
    }
    set {
      let bit = Self.bit(channel)
      chosen = newValue == nil ? chosen & ~bit : chosen | bit
      on = newValue == true ? on | bit : on & ~bit
    }
  }

  /// The channels of which something was chosen, by ascending code.
  public var channels: [Channel] {
    (0..<UInt64.bitWidth).filter { chosen >> UInt64($0) & 1 == 1 }.map(Channel.init(rawValue:))
  }

  /// These choices, and `others` where there are none.
  public func filled(with others: ChannelChoices) -> ChannelChoices {
    var result = self
    result.chosen |= others.chosen
    result.on |= others.on & ~chosen
    return result
  }

  /// 0 for a code that has no place.
  private static func bit(_ channel: Channel) -> UInt64 {
    (0..<UInt64.bitWidth).contains(channel.rawValue) ? 1 << UInt64(channel.rawValue) : 0
  }
}
