import DequeModule
import SignalRProtocol

/// A client's call of a hub method.
struct HubCall: Sendable {
  /// Without an id no answer is wanted.
  let id: String?
  let target: String
  var arguments: [HubValue]
  /// Whether the client wants the result item by item.
  let isStream: Bool
}

/// The calls of one connection: one runs at a time, in order, as in the original hub.
struct CallQueue {
  private static let maximumWaiting = 32
  /// After a reconnect a client sends again at once what got lost, and what was called meanwhile.
  private static let maximumResent = 1_000

  /// Bytes of names and ids that may wait; a client keeps 100,000 to send again.
  private static let maximumBytes = 200_000

  /// A call with its arguments read: as they came they may take much more room.
  typealias Entry = (call: HubCall, operation: Result<HubOperation, HubOperation.Refusal>)

  private var waiting: Deque<Entry> = []
  private var bytes = 0
  private var isRunning = false

  /// - Parameter isStateful: Whether the client may send calls again, with stateful reconnect.
  /// - Returns: False if too many wait already.
  mutating func append(_ call: HubCall, isStateful: Bool = false) -> Bool {
    guard waiting.count < (isStateful ? Self.maximumResent : Self.maximumWaiting),
      bytes + Self.size(call) <= Self.maximumBytes
    else { return false }
    bytes += Self.size(call)
    var kept = call
    kept.arguments = []
    waiting.append((kept, Result { () throws(HubOperation.Refusal) in try HubOperation.parse(call) }))
    return true
  }

  /// The call to run now; nil while another runs.
  mutating func next() -> Entry? {
    guard !isRunning, let next = waiting.popFirst() else { return nil }
    isRunning = true
    bytes -= Self.size(next.call)
    return next
  }

  private static func size(_ call: HubCall) -> Int { call.target.utf8.count + (call.id?.utf8.count ?? 0) }

  /// The call that ran has been answered: the next may run.
  mutating func endRunning() { isRunning = false }

  /// Takes back a call that has not begun.
  mutating func cancel(_ id: String) -> HubCall? {
    guard let index = waiting.firstIndex(where: { $0.call.id == id }) else { return nil }
    let call = waiting.remove(at: index).call
    bytes -= Self.size(call)
    return call
  }
}
