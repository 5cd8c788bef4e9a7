import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore

/// Routes jobs: load, decide, store, publish. Everything it does may be repeated without doubling anything.
struct BatchRouter {
  let recipients: any RecipientSource
  let viewers: Viewers
  let waiting: any WaitingSource
  let notifications: any NotificationStoring
  let outcomes: any OutcomeKeeping
  let outbox: Outbox
  var channels = Channel.routing
  /// Over which time the ends of quiet hours are spread.
  var spread = DueSpread()
  var metrics: RouterMetrics?

  /// Returns once everything is stored and the broker has confirmed every dispatch. What no message has room for is recorded.
  func route(_ jobs: [RoutingJob], now: Date) async throws {
    let subjects = jobs.map { $0.subject(now: now, spread: spread) }
    let keys = Set(
      jobs.indices.flatMap { index in
        jobs[index].part.recipients.map { RecipientStore.Key($0, about: subjects[index]) }
      }
    )
    guard !keys.isEmpty else { return }
    async let viewing = viewers.look(at: jobs)
    async let open = windows(for: jobs, now: now)
    let people = try await recipients.recipients(for: keys)
    let (viewed, windows) = (await viewing, try await open)
    var batch = BatchDecision(channels: channels, windows: windows, now: now, count: keys.count)
    var seen: Set<NotificationID> = []
    // Those of the jobs come first, in their order.
    var contents = jobs.map(\.part.content)
    for index in jobs.indices {
      let job = jobs[index]
      var readers = ReaderContents(job, index: index)
      for user in job.part.recipients {
        let id = job.part.id(for: user)
        // What is stored in one transaction may name none twice; and of a schedule's date there is one, whatever the zone in
        // which it finds the user.
        let one = job.part.date == nil ? id : NotificationID(request: job.part.requestId, recipient: user)
        guard seen.insert(one).inserted else { continue }
        var recipient = people[.init(user, about: subjects[index])] ?? Recipient(id: user)
        if let viewing = viewed[user] { recipient.viewing = viewing }
        let content = readers?.index(for: recipient, in: &contents) ?? index
        batch.add(
          id,
          of: job,
          index,
          subjects[index],
          to: recipient,
          content: content,
          isTextTooLong: contents[content].isTextTooLong
        )
      }
    }
    let answers = batch.claims.isEmpty ? [] : try await waiting.count(batch.claims, now: now)
    batch.apply(answers, jobs: jobs, subjects: subjects)
    let items = batch.items
    let stored = try await notifications.store(items, contents: contents)
    let wasted = batch.wasted(answers, stored)
    if !wasted.isEmpty { try await waiting.discount(wasted) }
    metrics?.stored(items, stored)
    var routed: [RoutedNotification] = []
    routed.reserveCapacity(items.count)
    for index in items.indices where !stored[index].isErased {
      routed.append(
        RoutedNotification(items[index], stored[index], recipient: batch.recipients[index], contents: &contents)
      )
    }
    try await revise(&routed)
    let builder = DispatchBuilder(contents: contents, channels: channels)
    let dispatches = builder.dispatches(routed)
    try await outcomes.record(dispatches, metrics: metrics)
    try await outbox.send(dispatches.messages, realtime: builder.realtime(routed))
  }

  /// The digests' windows that are open for the recipients; nothing is asked where no type has any.
  private func windows(for jobs: [RoutingJob], now: Date) async throws -> [HeldStore.WindowKey: DigestWindow] {
    let keys = Set(
      jobs.lazy.filter { $0.type.digest != nil }.flatMap { job in job.part.recipients.compactMap(job.window) }
    )
    return keys.isEmpty ? [:] : try await waiting.windows(keys, now: now)
  }

  /// Stores what becomes of former decisions. Of several routers that change the same one, the first does: where nothing was
  /// changed here, nothing is sent on that channel.
  private func revise(_ routed: inout [RoutedNotification]) async throws {
    guard routed.contains(where: { !$0.isNew }) else { return }
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
}
