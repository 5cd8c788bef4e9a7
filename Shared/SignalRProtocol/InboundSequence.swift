/// The inbound side of stateful reconnect: counts the client's messages, so that each is processed once, and says what
/// to acknowledge.
///
/// Source: HubProtocol.md of ASP.NET Core, "Stateful reconnect".
struct InboundSequence: Sendable {
  /// How often the client hears what arrived, at most.
  private static let interval = Duration.seconds(1)

  /// The highest number that was processed.
  private var processed: Int64 = 0
  /// The number of the next message to arrive; not above `processed + 1`.
  private var next: Int64 = 1
  /// The highest number that the client is known to know as processed.
  private var acknowledged: Int64 = 0
  private var acknowledgedAt: HubInstant
  /// After a reconnect nothing counts until the client has said where it begins.
  private var awaitsSequence = false

  init(at now: HubInstant) {
    acknowledgedAt = now
  }

  /// Counts a message that the client has sent.
  ///
  /// - Returns: False if it was processed before: the client sends it again.
  mutating func countMessage() -> Bool {
    guard !awaitsSequence else { return false }
    defer { next += 1 }
    guard next > processed else { return false }
    processed = next
    return true
  }

  /// The client says which number its next message has.
  mutating func begin(at id: Int64) throws(HubProtocolError) {
    guard id > 0 else { throw .malformedMessage(member: "sequenceId") }
    guard id <= processed + 1 else { throw .sequenceTooHigh(id) }
    next = id
    // It sends from the first one on that it knows of no acknowledgement for: ours may have been lost.
    acknowledged = min(acknowledged, id - 1)
    awaitsSequence = false
  }

  /// What to acknowledge now, if anything; then it counts as sent.
  mutating func acknowledgement(at now: HubInstant) -> Int64? {
    guard processed > acknowledged, now.elapsed(since: acknowledgedAt) >= Self.interval else { return nil }
    acknowledged = processed
    acknowledgedAt = now
    return processed
  }

  /// The client comes back over a new WebSocket.
  mutating func reattach() {
    awaitsSequence = true
  }
}
