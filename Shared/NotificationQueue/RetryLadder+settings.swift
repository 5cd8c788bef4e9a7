public import Settings

extension RetryLadder: ServiceConfiguration {
  /// Reads `retry.tiers`, which must be the same for all services.
  public init(_ settings: Settings) {
    self.init(
      delays: settings.durations(
        "retry.tiers",
        default: RetryLadder.standard,
        // So that the last of 20 attempts comes within a week: no outcome may be older than what retention keeps at least.
        in: .milliseconds(10) ... .seconds(6 * 3_600),
        atMost: 10,
        "Delays after which failed deliveries are tried again, ascending; the same for all services."
      )
    )
  }
}
