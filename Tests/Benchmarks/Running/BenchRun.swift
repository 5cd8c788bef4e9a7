import Foundation
import LocalStack
import Logging
import Postgres

/// One run: starts the stack, measures every suite chosen, stops the stack.
enum BenchRun {
  struct Result {
    var report: BenchReport
    /// Nil where none was asked for, or not all services run.
    var sample: MessageSample?
  }

  /// - Parameters:
  ///   - programs: What is measured, and the simulator.
  ///   - known: The settings that the services have, if they are another build's.
  ///   - sampling: Whether to look at what the services say before they are measured.
  static func run(
    _ options: BenchOptions,
    programs: BelfryPrograms,
    directory: String,
    known: [BelfryService: Set<String>] = [:],
    sampling: Bool = false
  ) async throws -> Result {
    var configuration = BelfryStackConfiguration(directory: directory, programs: programs)
    configuration.knownSettings = known
    configuration.variables[.gateway] = [
      // One user asks far more often than a person does.
      "BELFRY_GATEWAY_USER_RATE": "0",
      // All clients are on this machine, and some say nothing for as long as is measured.
      "BELFRY_GATEWAY_MAXIMUM_CONNECTIONS_PER_ADDRESS": "10000",
      "BELFRY_GATEWAY_HEADER_TIMEOUT": "5min",
    ]
    // Builds from before there were others refuse their names.
    if !options.suites.contains(where: \.needsAllProviders) { configuration.settings["BELFRY_PUSH_PROVIDERS"] = "fcm" }
    let needsHubAlone = options.suites.allSatisfy { $0 == .hub }
    if needsHubAlone {
      for service in BelfryService.allCases where service != .inapp { configuration.scale[service] = 0 }
    }
    Progress.say("Starting Belfry in \(directory)")
    let stack = try await BelfryStack.start(configuration, logger: .bench) { event in
      if case .finished(let step, let took) = event { Progress.say("  ✓ \(step) (\(took.seconds.text(1)) s)") }
    }
    do {
      let result = try await measure(options, stack, sampling: sampling && !needsHubAlone)
      await stack.stop()
      return result
    } catch {
      for process in stack.services where !process.isRunning {
        Progress.say("\(process.name) is not running:\n\(process.logTail)")
      }
      await stack.stop()
      throw error
    }
  }

  private static func measure(_ options: BenchOptions, _ stack: BelfryStack, sampling: Bool) async throws -> Result {
    let database = PostgresClient(
      configuration: PostgresConfiguration(
        url: stack.databaseURL,
        connections: 2,
        queryTimeout: .seconds(600),
        applicationName: "belfry-bench"
      ),
      logger: .bench
    )
    let bench = Bench(options: options, stack: stack, database: database)
    let started = Date.now
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await database.run() }
      let sample = sampling ? try await MessageSample.take(bench) : nil
      for suite in options.suites {
        Progress.say("\(suite.rawValue):")
        try await suite.measure(bench)
      }
      group.cancelAll()
      return Result(report: bench.report(startedAt: started), sample: sample)
    }
  }
}

extension Logger {
  /// For the libraries used here: only what a person should see.
  static var bench: Logger {
    var logger = Logger(label: "belfry-bench")
    logger.logLevel = .error
    return logger
  }
}
