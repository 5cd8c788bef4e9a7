public import WallClock

/// A schedule as a catalogue understands it.
public struct Schedule: Sendable {
  /// What is told; its type is the schedule's own, its texts are templates.
  public let request: SendRequest
  public let timing: ScheduleTiming
  /// Whose clocks count; nil is each recipient's own.
  public let zone: Zone?

  public init(request: SendRequest, timing: ScheduleTiming, zone: Zone?) {
    self.request = request
    self.timing = timing
    self.zone = zone
  }

  /// Whether it comes at different instants to people in different zones.
  public var followsRecipients: Bool { zone == nil && !timing.isInstant }
}
