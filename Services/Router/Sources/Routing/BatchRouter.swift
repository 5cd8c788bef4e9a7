import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore

/// Routes jobs: load, decide, store, publish. Everything it does may be repeated without doubling anything.
struct BatchRouter {
  let recipients: any RecipientSource
  let viewers: Viewers
  let notifications: any NotificationStoring
  let outbox: Outbox
  var channels = Channel.routing
  var metrics: RouterMetrics?

  /// Returns once everything is stored and the broker has confirmed every dispatch.
  func route(_ jobs: [RoutingJob], now: Date) async throws {
    var jobs = jobs
    while !jobs.isEmpty { jobs = try await routeEachOnce(jobs, now: now) }
  }

  /// Routes each notification once: what is stored in one transaction may name none of them twice.
  ///
  /// - Returns: What else the jobs ask of the same notifications, to be routed on top of what is stored by then.
  private func routeEachOnce(_ jobs: [RoutingJob], now: Date) async throws -> [RoutingJob] {
    let keys = Set(
      jobs.flatMap { job in job.part.recipients.map { RecipientStore.Key(user: $0, type: job.type.code) } }
    )
    guard !keys.isEmpty else { return [] }
    async let viewing = viewers.look(at: jobs)
    let people = try await recipients.recipients(for: keys)
    let viewed = await viewing
    var items: [NewNotification] = []
    var addressees: [Recipient] = []
    var later: [RoutingJob] = []
    // By which job each notification is routed now.
    var routedBy: [NotificationID: Int] = [:]
    let all = channels.map(\.channel)
    let subjects = jobs.map { $0.subject(now: now) }
    for (index, job) in jobs.enumerated() {
      let part = job.part
      let siblings = part.date?.notificationIDs
      // By the job that each is routed by.
      var others: [Int: [UserID]] = [:]
      for user in part.recipients {
        let id = part.id(for: user)
        // Of a schedule's date there is one, whatever the zone in which it finds the user.
        let key = part.date == nil ? id : NotificationID(request: part.requestId, recipient: user)
        if let first = routedBy[key] {
          if !part.repeats(jobs[first].part) { others[first, default: []].append(user) }
          continue
        }
        routedBy[key] = index
        var recipient = people[.init(user: user, type: job.type.code)] ?? Recipient(id: user)
        if let viewing = viewed[user] { recipient.viewing = viewing }
        let plan = RoutingDecision.decide(DecisionInput(subjects[index], to: recipient), channels: channels)
        items.append(
          NewNotification(
            id: id,
            userID: user,
            requestID: part.requestId,
            content: index,
            plan: plan,
            siblings: siblings
          )
        )
        addressees.append(recipient)
      }
      for (first, users) in others.sorted(by: { $0.key < $1.key }) {
        later.append(job.keeping(users, after: jobs[first], of: all))
      }
    }
    var contents = jobs.map(\.part.content)
    let stored = try await notifications.store(items, contents: contents)
    metrics?.stored(items, stored)
    var routed: [RoutedNotification] = []
    routed.reserveCapacity(items.count)
    for index in items.indices {
      routed.append(
        RoutedNotification(
          items[index],
          stored[index],
          recipient: addressees[index],
          own: jobs[items[index].content].own(of: all),
          contents: &contents
        )
      )
    }
    try await revise(&routed, of: jobs, about: subjects)
    let builder = DispatchBuilder(contents: contents, channels: channels)
    try await outbox.send(builder.dispatches(routed), realtime: builder.realtime(routed))
    return later
  }

  /// Stores what becomes of former decisions. Of several routers that change the same one, the first does: where nothing was
  /// changed here, nothing is sent on that channel.
  private func revise(
    _ routed: inout [RoutedNotification],
    of jobs: [RoutingJob],
    about subjects: [DecisionSubject]
  ) async throws {
    guard routed.contains(where: { !$0.isNew }) else { return }
    for routing in channels {
      var changes: [DecisionChange] = []
      var positions: [NotificationID: Int] = [:]
      for position in routed.indices {
        let item = routed[position]
        let isDue = jobs[item.job].part.isDue(on: routing.channel)
        guard let change = item.change(on: routing, of: subjects[item.job], isDue: isDue) else { continue }
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
