import DequeModule

/// The transfers of one destination: a count of the running ones and the order of those that wait.
struct HTTPLane {
  let slots: Int
  private(set) var running = 0
  private(set) var waiting = 0
  private var order: Deque<UInt64> = []

  init(slots: Int) {
    self.slots = slots
  }

  var isIdle: Bool { running == 0 && waiting == 0 }

  mutating func append(_ transfer: UInt64) {
    order.append(transfer)
    waiting += 1
  }

  /// The next transfer to start, unless all slots are taken. Those that no longer wait are passed over.
  mutating func startNext(isWaiting: (UInt64) -> Bool) -> UInt64? {
    while running < slots, let transfer = order.popFirst() {
      guard isWaiting(transfer) else { continue }
      waiting -= 1
      running += 1
      return transfer
    }
    return nil
  }

  /// A waiting transfer has given up; its place in the order is dropped in bulk.
  mutating func abandon(isWaiting: (UInt64) -> Bool) {
    waiting -= 1
    if order.count > 2 * waiting + 64 { order.removeAll { !isWaiting($0) } }
  }

  mutating func finish() {
    running -= 1
  }
}
