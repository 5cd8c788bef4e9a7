import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// Routes jobs: load, decide, store, publish. Everything it does may be repeated without doubling anything.
struct BatchRouter {
  let recipients: any RecipientStoring
  let viewers: Viewers
  let waiting: any WaitingStoring
  let notifications: any NotificationStoring
  let outcomes: any OutcomeStoring
  let publisher: RouterPublisher
  var channels = Channel.routing
  /// Over which time the ends of quiet hours are spread.
  var spread = DueSpread()
  var metrics: RouterMetrics?

  /// Returns once everything is stored and the broker has confirmed every dispatch. What no message has room for is recorded.
  func route(_ jobs: [RoutingJob], now: Date) async throws {
    let plan = BatchPlan(jobs, channels: channels, now: now, spread: spread)
    guard !plan.recipientKeys.isEmpty else { return }
    let windowKeys = plan.windowKeys
    async let viewing = viewers.look(at: jobs)
    async let windows = windowKeys.isEmpty ? [:] : waiting.windows(windowKeys, now: now)
    let people = try await recipients.recipients(for: plan.recipientKeys)
    let decided = plan.decided(for: people, viewing: await viewing, with: try await windows)
    let candidates = decided.candidates
    let limited = decided.limited(by: candidates.isEmpty ? [] : try await waiting.count(candidates, now: now))
    let results = try await notifications.store(limited.items, contents: limited.contents)
    let stored = limited.stored(as: results)
    if !stored.wasted.isEmpty { try await waiting.discount(stored.wasted) }
    metrics?.stored(stored.items, stored.results)
    var (routed, contents) = stored.routed()
    try await revise(&routed)
    try await publish(routed, contents)
  }

  /// Stores what becomes of former decisions. Of several routers that change the same one, the first does: where nothing was
  /// changed here, nothing is sent on that channel.
  private func revise(_ routed: inout [RoutedNotification]) async throws {
    guard routed.contains(where: \.mustRecheck) else { return }
    for routing in channels {
      var changes: [DecisionChange] = []
      var positions: [NotificationID: Int] = [:]
      for position in routed.indices {
        guard let change = routed[position].change(on: routing) else { continue }
        changes.append(change)
        positions[change.id] = position
      }
      guard !changes.isEmpty else { continue }
      let changed = try await notifications.change(routing.channel, of: changes)
      let made = changes.filter { changed.contains($0.id) }
      for change in made {
        if let position = positions[change.id] { routed[position].plan[routing.channel] = change.to }
      }
      metrics?.changed(made, on: routing.channel)
    }
  }

  private func publish(_ routed: [RoutedNotification], _ contents: [NotificationContent]) async throws {
    let builder = DispatchBuilder(contents: contents, channels: channels)
    let dispatches = builder.dispatches(routed)
    try await outcomes.record(dispatches, metrics: metrics)
    try await publisher.send(dispatches.messages, realtime: builder.realtime(routed))
  }
}
