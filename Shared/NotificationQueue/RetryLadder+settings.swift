public import Settings

extension RetryLadder: ServiceConfiguration {
  /// Reads `retry.tiers`, which must be the same for all services.
  public init(_ settings: Settings) {
    self.init(
      delays: settings.durations(
        "retry.tiers",
        default: RetryLadder.standard,
        in: .milliseconds(10) ... .seconds(7 * 86_400),
        atMost: 10,
        "Delays after which failed deliveries are tried again, ascending; the same for all services."
      )
    )
  }
}
