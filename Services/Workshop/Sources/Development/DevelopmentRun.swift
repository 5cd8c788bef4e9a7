import ConsoleCommands
import Foundation
import LocalStack
import Logging
import NotificationModel

/// One `belfry-dev run`: start, demonstrate, keep running (or check once), stop.
struct DevelopmentRun: Sendable {
  let configuration: BelfryStackConfiguration
  /// Is applied as a version of the catalogue; nil leaves what is in force.
  var catalogue: CatalogueFile?
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
      let (story, tag) = try await story(stack)
      let addresses = DemoAddresses()
      let first = try await DemoStart(stack: stack, story: story, addresses: addresses).sendFirstNotification()
      let arrivals = first?.arrivals ?? []
      for arrival in arrivals { Terminal.say(arrival.line) }
      guard arrivals.allSatisfy(\.isComplete) else {
        Terminal.say("Not everything arrived. Logs: \(configuration.directory)/logs/")
        for process in stack.services where !process.isRunning {
          Terminal.say("\(process.name) is not running:\n\(process.logTail)")
        }
        return 1
      }
      if !once { try await stay(stack, story, addresses, tag, first?.request, report) }
      return 0
    } catch {
      if !Task.isCancelled { Terminal.say("The demo failed: \(error)\nLogs: \(configuration.directory)/logs/") }
      return 1
    }
  }

  /// What the demo plays: the file's, once it is applied, or that of what is in force; and the ETag of that catalogue.
  private func story(_ stack: BelfryStack) async throws -> (DemoStory, tag: String?) {
    let gateway = try CatalogueInGateway(stack)
    if let catalogue {
      let version = try await gateway.apply(catalogue)
      Terminal.say("  ✓ catalogue \(catalogue.path) is version \(version.version)")
      // A first catalogue that stands alone takes nothing from anybody.
      let isAlone = version.version == 1 && !catalogue.catalogue.hasBuiltIn
      let changes = isAlone ? [] : version.changes
      for change in changes.prefix(Self.maximumChanges) { Terminal.say("      \(change.text)") }
      let rest = changes.count - Self.maximumChanges
      if rest > 0 { Terminal.say("      and \(rest) changes more") }
      return (try DemoStory.of(catalogue.catalogue, from: catalogue.name), "\"\(version.version)\"")
    }
    if let path = configuration.settings[DevelopmentSettings.catalogueFile], !path.isEmpty {
      return (try DemoStory.of(try Catalogue(file: path), from: URL(filePath: path).lastPathComponent), nil)
    }
    // A run before this one may have applied a version.
    let inForce = try await gateway.inForce()
    return (try DemoStory.of(try inForce.catalogue()), inForce.tag)
  }

  /// More are no help at a start.
  private static let maximumChanges = 10

  /// Until cancelled.
  private func stay(
    _ stack: BelfryStack,
    _ story: DemoStory,
    _ addresses: DemoAddresses,
    _ tag: String?,
    _ request: String?,
    _ report: StackReporter
  ) async throws {
    do {
      let page = DemoPageRun(
        stack: stack,
        story: story,
        addresses: addresses,
        tag: tag,
        first: request,
        report: report
      )
      try await page.run { Terminal.say(Welcome(stack, story).text) }
    } catch {
      if !Task.isCancelled { throw error }
    }
  }
}
