import Foundation
import LocalStack

/// The node that holds everybody goes, and all its clients come back by themselves and ask for what they missed.
struct HubStorm {
  enum Kind: CaseIterable {
    /// SIGTERM: it says goodbye to everybody first.
    case drained
    /// SIGKILL.
    case killed
  }

  struct Result {
    /// From the signal until everybody was connected again.
    var seconds: Double
    /// From the signal until the node was ready again.
    var secondsToReady: Double
    /// From the signal until everybody had what they missed; nil if some client gave up.
    var secondsToResume: Double?
    /// Clients that reported an error to their users.
    var givenUp: Int
    /// Attempts that failed on the way.
    var failures: Int
  }

  let process: StackProcess
  let fleet: ClientFleet
  let arrivals: EventArrivals

  /// Stops the node and starts it again at once on the same port.
  ///
  /// - Parameter send: Stores something for every client while the node is away.
  func measure(_ kind: Kind, _ send: () async throws -> Void) async throws -> Result {
    let before = fleet.report
    let wanted = arrivals.count + before.open
    arrivals.record(before.open)
    let started = WallTime.now
    switch kind {
    case .drained: await process.terminate()
    case .killed: await process.kill()
    }
    try await send()
    try process.launch()
    try await process.waitUntilReady()
    let ready = WallTime.now
    // A client gives up 42 seconds after its loss at the latest, and an attempt takes at most 15.
    try await Patience.wait(for: "\(before.open) reconnects", within: .seconds(150)) {
      let now = fleet.report
      return now.lost - before.lost >= before.open && now.open + now.givenUp - before.givenUp >= before.open
    }
    let after = fleet.report
    var resumed: Double?
    if after.givenUp == before.givenUp {
      try await Patience.wait(for: "what \(before.open) clients missed", within: .seconds(60)) {
        arrivals.count >= wanted
      }
      resumed = arrivals.recorded().max().map { WallTime.seconds(from: started, to: $0) }
    }
    return Result(
      seconds: WallTime.seconds(from: started, to: after.lastOpenedAt),
      secondsToReady: WallTime.seconds(from: started, to: ready),
      secondsToResume: resumed,
      givenUp: after.givenUp - before.givenUp,
      failures: after.failures - before.failures
    )
  }
}
