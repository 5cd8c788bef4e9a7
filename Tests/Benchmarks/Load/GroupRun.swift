import Foundation
import Postgres

/// A whole group notified: everybody once, by push.
struct GroupRun: Sendable {
  /// Until FCM's simulator had accepted every push.
  var seconds: Double
  /// Until every outcome was recorded too.
  var recordedSeconds: Double
  /// When every push was accepted.
  var after: ProcessSample

  /// - Parameters:
  ///   - count: The group's members, with a device each.
  ///   - start: Sets it going; returns when it is to begin, as of ``WallTime``.
  static func measure(_ bench: Bench, _ count: Int, _ start: () async throws -> Int64) async throws -> GroupRun {
    let outcomes = try await outcomes(bench)
    let started = try await start()
    try await Patience.wait(for: "\(count) pushes", within: .seconds(300)) {
      try await bench.simulator.pushes().arrived >= count
    }
    let seconds = WallTime.seconds(from: started, to: WallTime.now)
    let after = ProcessSample.take()
    try await Patience.wait(for: "\(count) outcomes", within: .seconds(60), every: .milliseconds(200)) {
      try await Self.outcomes(bench) >= outcomes + count
    }
    let recorded = WallTime.seconds(from: started, to: WallTime.now)
    return GroupRun(seconds: seconds, recordedSeconds: recorded, after: after)
  }

  private static func outcomes(_ bench: Bench) async throws -> Int {
    guard let row = try await bench.database.query("SELECT count(*) FROM deliveries").first else { return 0 }
    return try row.get(0)
  }
}
