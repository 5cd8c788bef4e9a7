import Synchronization

/// Counts numbered events and notes when they arrive. Each client must receive each number once, in order.
final class EventArrivals: ArrivalSink {
  /// Stands before the eight digits of an event's number, wherever in the message.
  static let mark: StaticString = "bench-event:"

  static func text(_ number: Int) -> String {
    let digits = String(number)
    return "\(mark)\(String(repeating: "0", count: 8 - digits.count))\(digits)"
  }

  private struct State {
    var count = 0
    var bytes = 0
    /// Of those that came while recording.
    var times: [Int64] = []
    var isRecording = false
    var latest: [Int]
    var misplaced = 0
  }

  private let state: Mutex<State>

  init(clients: Int) {
    state = Mutex(State(latest: Array(repeating: 0, count: clients)))
  }

  func take(_ message: UnsafeRawBufferPointer, client: Int, at now: Int64) {
    let mark = ByteSearch.find(Self.mark, in: message, 0..<message.count)
    state.withLock { state in
      state.bytes += message.count
      guard let mark, mark + 20 <= message.count else { return }
      let number = message[mark + 12..<mark + 20].reduce(0) { $0 * 10 + Int($1) - 48 }
      if number != state.latest[client] + 1 { state.misplaced += 1 }
      state.latest[client] = number
      state.count += 1
      if state.isRecording { state.times.append(now) }
    }
  }

  /// How many have arrived in all.
  var count: Int { state.withLock { $0.count } }

  /// How many came twice, out of order, or after one that did not come.
  var misplaced: Int { state.withLock { $0.misplaced } }

  /// Bytes of payload that a client received for each event.
  var bytesEach: Int { state.withLock { $0.bytes / max(1, $0.count) } }

  /// From now on notes when events arrive; forgets earlier ones.
  func record(_ expected: Int) {
    state.withLock {
      $0.times = []
      $0.times.reserveCapacity(expected)
      $0.isRecording = true
    }
  }

  /// When the recorded events arrived (``WallTime``); stops recording.
  func recorded() -> [Int64] {
    state.withLock { state in
      defer { state.times = [] }
      state.isRecording = false
      return state.times
    }
  }
}
