import Foundation
import LocalStack

/// The node that holds everybody goes, and all its clients come back by themselves.
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
    /// Clients that told their users of an error.
    var givenUp: Int
    /// Attempts that failed on the way.
    var failures: Int
  }

  let process: StackProcess
  let fleet: ClientFleet

  /// Stops the node and starts it again at once on the same port.
  func measure(_ kind: Kind) async throws -> Result {
    let before = fleet.report
    let started = WallTime.now
    switch kind {
    case .drained: await process.terminate()
    case .killed: await process.kill()
    }
    try process.launch()
    try await process.waitUntilReady()
    let ready = WallTime.now
    // A client gives up 42 seconds after its loss at the latest, and an attempt takes at most 15.
    try await Patience.wait(for: "\(before.open) reconnects", within: .seconds(150)) {
      let now = fleet.report
      return now.lost - before.lost >= before.open && now.open + now.givenUp - before.givenUp >= before.open
    }
    let after = fleet.report
    return Result(
      seconds: WallTime.seconds(from: started, to: after.lastOpenedAt),
      secondsToReady: WallTime.seconds(from: started, to: ready),
      givenUp: after.givenUp - before.givenUp,
      failures: after.failures - before.failures
    )
  }
}
