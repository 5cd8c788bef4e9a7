import CatalogueVersions
import Foundation
import Logging
import NotificationModel
import NotificationStore
import Retrying
import Rules
import ServiceLifecycle
import ServiceRuntime
import WallClock

/// Looks at states whose timers are due, and publishes what a router that died had decided on. Any number of routers may.
struct RuleTimerWorker: Service {
  let catalogues: CatalogueInForce
  let store: any RuleScheduleStoring
  let notices: NoticePublisher
  /// The deployment's, for people without their own.
  let zone: Zone
  let logger: Logger
  var metrics: RouterMetrics?
  /// States in one transaction.
  var limit = 500
  var interval: Duration = .seconds(1)
  var clock: any WorkClock

  func run() async throws {
    await Poll(interval: interval, logger: logger).run("timers of rules failed") { try await work() }
  }

  /// Does all that is due; returns once the broker has confirmed what follows.
  func work() async throws {
    var problems = DueBatch.Problems()
    defer { report(problems) }
    while try await takeDue(&problems), !Task.isShuttingDownGracefully {}
    while !Task.isShuttingDownGracefully {
      let orphans = try await store.orphans(now: clock.uncheckedNow, limit: limit)
      try await notices.publish(stored: orphans)
      if orphans.count < limit { return }
    }
  }

  private func takeDue(_ problems: inout DueBatch.Problems) async throws -> Bool {
    let now = try await clock.checkedNow()
    let current = catalogues.current
    let batch = DueBatch(rules: current.catalogue.rules, now: now, catalogueVersion: current.reference)
    let result = try await store.due(now: now, limit: limit) { due, people in
      batch.decide(due, RulePeople(people, zone: zone, settings: current.catalogue.settings))
    }
    guard let result else { return false }
    problems.merge(result.problems)
    metrics?.ran(result)
    try await notices.publish(stored: result.notices)
    return true
  }

  private func report(_ problems: DueBatch.Problems) {
    for (rule, problem) in problems.entries.sorted(by: { $0.key < $1.key }) {
      logger.warning(
        "timers of a rule came to nothing",
        metadata: ["rule": "\(rule)", "states": "\(problem.states)", "first": "\(problem.example)"]
      )
    }
  }
}
