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

  /// Returns once everything is stored and the broker has confirmed every dispatch.
  func route(_ jobs: [RoutingJob], now: Date) async throws {
    let keys = Set(
      jobs.flatMap { job in job.part.recipients.map { RecipientStore.Key(user: $0, type: job.type.code) } }
    )
    guard !keys.isEmpty else { return }
    async let viewing = viewers.look(at: jobs)
    let people = try await recipients.recipients(for: keys)
    let viewed = await viewing
    var items: [NewNotification] = []
    var addressees: [Recipient] = []
    var seen = Set<NotificationID>()
    for (index, job) in jobs.enumerated() {
      let part = job.part
      let entity = part.content.relatedEntity
      for user in part.recipients {
        let id = NotificationID(request: part.requestId, recipient: user)
        guard seen.insert(id).inserted else { continue }  // the same request twice in one batch
        var recipient = people[.init(user: user, type: job.type.code)] ?? Recipient(id: user)
        if let viewing = viewed[user] { recipient.viewing = viewing }
        let plan = RoutingDecision.decide(
          type: job.type,
          requested: part.channels,
          recipient: recipient,
          about: entity,
          expiresAt: part.content.expiresAt,
          now: now,
          channels: channels
        )
        items.append(NewNotification(id: id, userID: user, requestID: part.requestId, content: index, plan: plan))
        addressees.append(recipient)
      }
    }
    var contents = jobs.map(\.part.content)
    let stored = try await notifications.store(items, contents: contents)
    var routed: [RoutedNotification] = []
    routed.reserveCapacity(items.count)
    for index in items.indices {
      routed.append(
        RoutedNotification(items[index], stored[index], recipient: addressees[index], contents: &contents)
      )
    }
    try await revise(&routed, of: jobs)
    let builder = DispatchBuilder(contents: contents, channels: channels)
    try await outbox.send(builder.dispatches(routed), realtime: builder.realtime(routed))
  }

  /// Stores what becomes of former decisions. Who was faster decides: where nothing was changed here, nothing is sent.
  private func revise(_ routed: inout [RoutedNotification], of jobs: [RoutingJob]) async throws {
    guard routed.contains(where: { !$0.isNew }) else { return }
    for routing in channels {
      var changes: [DecisionChange] = []
      var positions: [NotificationID: Int] = [:]
      for position in routed.indices {
        let item = routed[position]
        let isDue = jobs[item.job].part.isDue(on: routing.channel)
        guard let change = item.change(on: routing, isDue: isDue) else { continue }
        changes.append(change)
        positions[change.id] = position
      }
      guard !changes.isEmpty else { continue }
      let changed = try await notifications.change(routing.channel, of: changes)
      for change in changes where changed.contains(change.id) {
        if let position = positions[change.id] { routed[position].plan[routing.channel] = change.to }
      }
    }
  }
}
