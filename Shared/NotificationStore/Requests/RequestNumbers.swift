public import NotificationModel

/// What became of a request's notifications, in numbers: for each channel, of so many recipients.
public struct RequestNumbers: Sendable, Equatable {
  /// One channel's. They add up to the recipients who were counted.
  public struct Line: Sendable, Equatable {
    /// At least one device or address has it; in-app, it is in the inbox, or was.
    public var delivered = 0
    /// On its way: nothing is known of it yet.
    public var pending = 0
    /// It waits for its time.
    public var held = 0
    /// It was refused, given up, or expired on its way.
    public var failed = 0
    public var skipped: [SkipReason: Int] = [:]

    public init() {}
  }

  public var channels: [Channel: Line] = [:]

  public init() {}

  /// How many were counted.
  public var recipients: Int { channels[.inApp]?.total ?? 0 }

  /// - Parameters:
  ///   - code: What was decided, as it is stored.
  ///   - outcome: The best of the deliveries' outcomes; nil if there is none.
  mutating func add(_ count: Int, on channel: Channel, code: Int16, outcome: Int16?) {
    var line = channels[channel] ?? Line()
    switch ChannelDecision(code: code, until: nil, on: channel) {
    case .hold: line.held += count
    case .leftInbox: line.delivered += count
    case .skip(let reason): line.skipped[reason, default: 0] += count
    case .deliver where channel == .inApp || outcome == DeliveryOutcome.delivered.rawValue: line.delivered += count
    case .deliver where outcome == nil: line.pending += count
    case .deliver: line.failed += count
    }
    channels[channel] = line
  }
}

extension RequestNumbers.Line {
  var total: Int { delivered + pending + held + failed + skipped.values.reduce(0, +) }
}
