/// The slots of one of a channel's providers, and the line of messages that wait for them.
struct ProviderLimit: Sendable {
  /// One for each target that is being tried.
  let slots: Permits
  /// Held by the message whose targets get the slots that become free: so there are no more tasks than slots, and messages
  /// are finished in about their order.
  let turn = Permits(count: 1)

  init(slots: Int) {
    self.slots = Permits(count: slots)
  }
}
