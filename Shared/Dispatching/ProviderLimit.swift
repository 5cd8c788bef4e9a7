/// The permits of a channel's provider, and the line of messages that wait for them.
struct ProviderLimit: Sendable {
  /// Gives a permit to each target that is being tried.
  let control: ProviderControl
  /// Held by the message whose targets get the permits that become free: so there are no more tasks than permits, and messages
  /// are finished in about their order.
  let headPermit = Permits(count: 1)
  /// Spreads waits, where a provider is spared.
  let jitter: FullJitter?

  init(
    concurrency: Int,
    settings: ControlSettings? = nil,
    shared: SharedPermits.Member? = nil,
    quota: SharedTokens.Member? = nil
  ) {
    control = ProviderControl(concurrency: concurrency, settings: settings, shared: shared, quota: quota)
    jitter = settings == nil ? nil : FullJitter()
  }
}
