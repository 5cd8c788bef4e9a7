import ConsoleCommands
import Foundation
import LocalStack
import Logging

/// One `belfry-dev run`: start, demonstrate, keep running (or check once), stop.
struct DevelopmentRun: Sendable {
  let configuration: BelfryStackConfiguration
  /// Check that the first notification arrives, and stop.
  let once: Bool

  /// Runs until cancelled, or to the end of the check.
  ///
  /// - Returns: Exit status.
  func run() async -> Int32 {
    let status = await start()
    if once, status == 0 || Task.isCancelled { clear() }
    return status
  }

  /// Of a check nothing stays but what one that failed leaves to be looked at. A child of what was killed on the way (initdb
  /// has some) may write for a moment longer.
  private func clear() {
    for attempt in 1... {
      do {
        try FileManager.default.removeItem(atPath: configuration.directory)
        return
      } catch {
        guard attempt < 20 else {
          return Terminal.say("\(configuration.directory) could not be removed: \(error)")
        }
        // Not the task's own pause: of a task that is cancelled it ends at once.
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
  }

  private func start() async -> Int32 {
    let report = StackReporter()
    Terminal.say("Starting Belfry in \(configuration.directory)")
    let stack: BelfryStack
    do {
      stack = try await BelfryStack.start(configuration, logger: .quiet) { report($0) }
    } catch {
      if error.code == .cancelled || Task.isCancelled {
        Terminal.say("Stopped.")
        return once ? 1 : 0
      }
      Terminal.say("Belfry could not start. \(error)")
      return 1
    }
    let status = await demonstrate(stack, report)
    Terminal.say("\nStopping …")
    await stack.stop()
    Terminal.say("Stopped.")
    return Task.isCancelled && !once ? 0 : status
  }

  private func demonstrate(_ stack: BelfryStack, _ report: StackReporter) async -> Int32 {
    do {
      try StackEnvironmentFile.write(stack)
      let family = DemoFamily(stack: stack)
      let (request, arrivals) = try await family.sendFirstNotification()
      for arrival in arrivals { Terminal.say(arrival.line) }
      guard arrivals.allSatisfy(\.isComplete) else {
        Terminal.say("Not everything arrived. Logs: \(configuration.directory)/logs/")
        for process in stack.services where !process.isRunning {
          Terminal.say("\(process.name) is not running:\n\(process.logTail)")
        }
        return 1
      }
      if !once { try await stay(stack, request, report) }
      return 0
    } catch {
      if !Task.isCancelled { Terminal.say("The demo failed: \(error)\nLogs: \(configuration.directory)/logs/") }
      return 1
    }
  }

  /// Until cancelled.
  private func stay(_ stack: BelfryStack, _ request: String, _ report: StackReporter) async throws {
    do {
      try await DemoPageRun(stack: stack, first: request, report: report).run {
        Terminal.say(Welcome.text(stack))
      }
    } catch {
      if !Task.isCancelled { throw error }
    }
  }
}
