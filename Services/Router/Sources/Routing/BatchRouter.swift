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

  /// Returns once everything is stored and the broker has confirmed every dispatch.
  func route(_ jobs: [RoutingJob], now: Date) async throws {
    let keys = Set(jobs.flatMap { job in job.users.map { RecipientStore.Key(user: $0, type: job.type.code) } })
    guard !keys.isEmpty else { return }
    async let viewing = viewers.look(at: jobs)
    let people = try await recipients.recipients(for: keys)
    let viewed = await viewing
    var items: [NewNotification] = []
    var addressees: [Recipient] = []
    var seen = Set<NotificationID>()
    for (index, job) in jobs.enumerated() {
      let entity = job.content.relatedEntity
      for user in job.users {
        let id = NotificationID(request: job.requestID, recipient: user)
        guard seen.insert(id).inserted else { continue }  // the same request twice in one batch
        var recipient = people[.init(user: user, type: job.type.code)] ?? Recipient(id: user)
        if let viewing = viewed[user] { recipient.viewing = viewing }
        let decision = RoutingDecision.decide(
          type: job.type,
          requested: job.channels,
          recipient: recipient,
          about: entity,
          expiresAt: job.content.expiresAt,
          now: now
        )
        items.append(
          NewNotification(id: id, userID: user, requestID: job.requestID, content: index, decision: decision)
        )
        addressees.append(recipient)
      }
    }
    let stored = try await notifications.store(items, contents: jobs.map(\.content))
    let routed = items.indices.map {
      DispatchBuilder.Routed(notification: items[$0], stored: stored[$0], recipient: addressees[$0])
    }
    let builder = DispatchBuilder(contents: jobs.map(\.content))
    let dispatches = WorkQueue.allCases.flatMap { queue in
      builder.dispatches(routed, to: queue).map { (queue: queue, message: $0) }
    }
    try await outbox.send(dispatches, realtime: builder.realtime(routed))
  }
}
