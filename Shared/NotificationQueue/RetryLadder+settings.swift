public import ServiceRuntime

extension RetryLadder: ServiceConfiguration {
  /// Reads `retry.tiers`, which must be the same for all services.
  public init(_ settings: Settings) {
    self.init(
      delays: settings.durations(
        "retry.tiers",
        default: RetryLadder.standard,
        "Delays after which failed deliveries are tried again, ascending; the same for all services."
      )
    )
  }
}
