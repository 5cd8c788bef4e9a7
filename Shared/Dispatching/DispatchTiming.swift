/// How long a dispatcher relies on the outcomes it looked up, works on a message, and keeps results before it records them.
public struct DispatchTiming: Sendable {
  /// How old the knowledge of what is finished may be when a target is begun. It must be less than the silence after which the
  /// broker gives a message to another dispatcher: one that was stopped for that long, or whose message has waited, looks
  /// again.
  public var lookupLifetime: Duration

  /// How long a result may wait to be recorded while other targets of its message are still in flight.
  public var recordingInterval: Duration = .milliseconds(100)

  /// How often it is asked how many processes share a provider's quota.
  public var shareInterval: Duration = .seconds(10)

  /// How long the broker lets a message be unacknowledged before it closes the connection (RabbitMQ's `consumer_timeout`).
  public var consumerTimeout: Duration = .seconds(1_800)

  /// RabbitMQ looks once a minute, and recording and putting back take a moment.
  private static let margin: Duration = .seconds(120)

  /// - Parameter heartbeat: Of the broker's connection, which is taken for dead after about twice that.
  public init(heartbeat: Duration = .seconds(10)) {
    // The broker may ask for a shorter one: RabbitMQ's default is a minute.
    lookupLifetime = max(min(heartbeat, .seconds(60)) / 2, .milliseconds(500))
  }

  /// How long after its receipt targets of a message may be begun, so that the last of them ends in time. What is not begun by
  /// then is put back.
  ///
  /// - Parameter longest: What a channel takes at most for one target. As long again may pass in waiting for a permit.
  func beginsWithin(longest: Duration) -> Duration {
    max(consumerTimeout - longest - Self.margin, consumerTimeout / 10)
  }
}
