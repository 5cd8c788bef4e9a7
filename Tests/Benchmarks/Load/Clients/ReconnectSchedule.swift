/// When a client tries again after losing its connection.
struct ReconnectSchedule: Sendable {
  /// Nanoseconds before each attempt, counted from the loss or from the end of the attempt before.
  let delays: [Int64]
  /// Up to how many nanoseconds later: clients are not equally far away.
  let jitter: Int64
  /// A frame with which a client begins when it is back; empty for none.
  var greeting: [UInt8] = []

  /// SignalR's clients: at once, then after 2, 10 and 30 seconds; then they tell the app that the connection is lost.
  static let stock = ReconnectSchedule(
    delays: [0, 2, 10, 30].map { $0 * 1_000_000_000 },
    jitter: 200_000_000
  )

  /// How long to wait after so many failed attempts; nil when the client gives up.
  func pause(afterFailures count: Int) -> Int64? {
    guard count < delays.count else { return nil }
    return delays[count] + Int64.random(in: 0...jitter)
  }
}
