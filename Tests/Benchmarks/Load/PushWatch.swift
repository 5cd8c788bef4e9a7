/// When pushes to some devices were accepted, read while they come: of many pushes the simulator keeps the latest only.
struct PushWatch: Sendable {
  private let simulator: SimulatorControl
  /// The last push seen, by device token.
  private var seen: [String: Int]
  /// By notification id, as of ``WallTime``.
  private(set) var times: [String: Int64] = [:]

  init(_ simulator: SimulatorControl, tokens: [String]) {
    self.simulator = simulator
    seen = Dictionary(uniqueKeysWithValues: tokens.map { ($0, 0) })
  }

  /// Reads what has come since the last time.
  mutating func look() async throws {
    for (token, last) in seen {
      seen[token] = try await simulator.addPushTimes(to: &times, after: last, token: token)
    }
  }
}
