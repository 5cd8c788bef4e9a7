/// Events with those who are to get them, sorted out by event loop.
struct EventBatch: Sendable {
  /// An event for a connection.
  struct Delivery: Sendable {
    let slot: Slot
    /// Among the batch's.
    let event: Int32
    /// By ``FormSet/index(_:_:)``.
    let form: UInt8
  }

  private(set) var events: [EncodedEvent] = []
  /// By the number of the loop; see ``sort()``.
  private(set) var deliveries: [[Delivery]]

  init(loops: Int) {
    deliveries = Array(repeating: [], count: loops)
  }

  mutating func add(_ event: EncodedEvent, to recipients: some Sequence<Addressee>) {
    let number = Int32(events.count)
    events.append(event)
    for recipient in recipients {
      let subscription = recipient.subscription
      deliveries[Int(subscription.loop)]
        .append(Delivery(slot: subscription.slot, event: number, form: subscription.form))
    }
  }

  /// Sorts by connection, so that each is touched once: most of them are not in the processor's cache, and to bring one there
  /// costs as much as to write to it. The events of a connection then share a system call, in their order.
  mutating func sort() {
    for loop in deliveries.indices {
      deliveries[loop].sort { ($0.slot.index, $0.event) < ($1.slot.index, $1.event) }
    }
  }
}
