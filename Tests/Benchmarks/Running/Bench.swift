import Foundation
import LocalStack
import Logging
import NotificationModel
import Postgres
import Synchronization

/// What the suites share: the stack, a database client, and the results so far.
final class Bench: Sendable {
  let options: BenchOptions
  let stack: BelfryStack
  let database: PostgresClient
  let simulator: SimulatorControl

  private struct State {
    var measurements: [Measurement] = []
    var usages: [UsageReport] = []
    var notes: [String] = []
    var population: Population?
    var simulatorLimit: CurlLoop.Result?
  }

  private let state = Mutex(State())

  init(options: BenchOptions, stack: BelfryStack, database: PostgresClient) {
    self.options = options
    self.stack = stack
    self.database = database
    simulator = SimulatorControl(url: stack.simulator.url)
  }

  /// Where a suite may write files.
  var directory: String { stack.configuration.directory }

  /// Keeps a result and says it.
  func add(_ measurement: Measurement) {
    Progress.say("  \(measurement.line)")
    state.withLock { $0.measurements.append(measurement) }
  }

  func add(_ usage: UsageReport) {
    state.withLock { $0.usages.append(usage) }
  }

  /// Keeps what the reader of the results has to know, and says it.
  func note(_ text: String) {
    Progress.say("  ! \(text)")
    state.withLock { $0.notes.append(text) }
  }

  /// Counts the pushes that came more than once since the simulator was last reset: nothing failed, so none should.
  func addDuplicates(_ suite: Suite, _ what: String, over carrier: DevicePlatform.Carrier = .fcm) async throws {
    let count = Double(try await simulator.pushes(over: carrier).duplicates)
    add(Measurement(suite, "\(what): pushes that came twice", count, "", budget: .atMost(0)))
  }

  /// The users of the large group; made at the first call.
  func population() async throws -> Population {
    if let made = state.withLock({ $0.population }) { return made }
    let made = try await Population.make(options.members, named: "bench", in: database)
    state.withLock { $0.population = made }
    return made
  }

  /// What libcurl can do against the simulator's FCM; measured at the first call.
  func simulatorLimit() async throws -> CurlLoop.Result {
    if let known = state.withLock({ $0.simulatorLimit }) { return known }
    let measured = try await FCMLimit.measure(stack)
    if measured.failures > 0 {
      Progress.say("  ! the simulator failed \(measured.failures) requests of libcurl's loop, which were sent again")
    }
    try await simulator.reset()
    state.withLock { $0.simulatorLimit = measured }
    return measured
  }

  func report(startedAt: Date) -> BenchReport {
    let (measurements, usages, notes) = state.withLock { ($0.measurements, $0.usages, $0.notes) }
    return BenchReport(
      startedAt: startedAt,
      seconds: Date.now.timeIntervalSince(startedAt),
      machine: .current,
      options: options,
      measurements: measurements,
      usage: usages,
      notes: notes
    )
  }
}
