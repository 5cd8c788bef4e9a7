extension BelfryStack {
  /// Starts again what crashes, after a pause that doubles from one second to thirty, until the task is cancelled.
  ///
  /// Cancel it before `stop()`, and do not use it while killing parts on purpose.
  public func supervise(report: @escaping @Sendable (StackEvent) -> Void) async {
    await withTaskGroup { group in
      for process in services + [simulator] {
        group.addTask { await Self.supervise(process, report) }
      }
    }
  }

  private static func supervise(_ process: StackProcess, _ report: @Sendable (StackEvent) -> Void) async {
    let clock = ContinuousClock()
    var pause = Duration.seconds(1)
    var since = clock.now
    while !Task.isCancelled {
      guard let status = await process.waitForExit(within: .seconds(1)), !Task.isCancelled else { continue }
      if clock.now - since > .seconds(60) { pause = .seconds(1) }
      report(.crashed(process, status: status, restartsIn: pause))
      do {
        try await clock.sleep(for: pause)
        try process.launch()
        since = clock.now
        try await process.waitUntilReady()
        report(.recovered(process))
      } catch {
        // Cancelled, or it stopped again: then the next round says so.
      }
      pause = min(pause * 2, .seconds(30))
    }
  }
}
