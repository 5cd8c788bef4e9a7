/// The permits of a channel's provider, and the line of messages that wait for them.
struct ProviderLimit: Sendable {
  /// One for each target that is being tried.
  let permits: Permits
  /// Held by the message whose targets get the permits that become free: so there are no more tasks than permits, and messages
  /// are finished in about their order.
  let headPermit = Permits(count: 1)

  init(concurrency: Int) {
    permits = Permits(count: concurrency)
  }
}
