/// How many messages a client has sent in the present second.
struct MessageRate: Sendable {
  private var second: UInt32 = 0
  private var count: UInt32 = 0

  /// Counts one more.
  mutating func count(at now: HubInstant, limit: Int) throws(HubProtocolError) {
    let present = UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000_000)
    if present != second { (second, count) = (present, 0) }
    count += 1
    guard count <= limit else { throw .tooManyMessages(limit: limit) }
  }
}
