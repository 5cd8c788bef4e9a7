import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import WallClock

/// Routes what goes to topics of FCM: note, publish. Nobody is looked up and nothing is decided, for nobody knows whose devices FCM
/// has there. Everything it does may be repeated without doubling anything.
struct TopicRouter {
  let topics: any TopicStoring
  let outcomes: any OutcomeStoring
  let publisher: RouterPublisher
  /// The deployment's time zone: in it dates are written.
  let home: Zone

  /// Returns once everything is noted and the broker has confirmed every dispatch. What cannot be sent is recorded.
  ///
  /// - Parameter jobs: All of topics.
  func route(_ jobs: [AudienceJob], now: Date) async throws {
    let pushes = jobs.compactMap { job in
      job.topic.map { TopicDeliveryStore.Push(job.order.request, to: $0, type: job.type.code) }
    }
    let formers = try await topics.note(pushes, now: now)
    var dispatches = DispatchBuilder.Dispatches()
    for ((job, push), former) in zip(zip(jobs, pushes), formers) where former != .finished {
      Self.add(push, saying: content(of: job), isNew: former == .unknown, to: &dispatches)
    }
    try await outcomes.record(dispatches, metrics: nil)
    try await publisher.send(dispatches.messages)
  }

  /// In nobody's words but the deployment's.
  private func content(of job: AudienceJob) -> NotificationContent {
    let content = job.order.content
    // Without a time zone it is worded so already.
    guard let wording = job.order.wording, wording.dependsOnZone(job.type) else { return content }
    return content.worded(wording, as: job.type, for: Wording.Reader(locale: nil, zone: home)) ?? content
  }

  private static func add(
    _ push: TopicDeliveryStore.Push,
    saying content: NotificationContent,
    isNew: Bool,
    to dispatches: inout DispatchBuilder.Dispatches
  ) {
    let delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(push.request.id.uuid),
      userId: Self.nobody,
      content: 0,
      badge: 0,
      hasBadge: false,
      targets: [DispatchMessage.Target(push.topic)]
    )
    guard !content.isTextTooLong else {
      return dispatches.outcomes.append(refusal(of: push, SkipReason.textTooLong.name))
    }
    let parts = DispatchMessage.split([delivery], of: [content], recheck: !isNew)
    dispatches.messages += parts.messages.map { (queue: .push, message: $0) }
    if !parts.tooLarge.isEmpty { dispatches.outcomes.append(refusal(of: push, DispatchBuilder.messageTooLarge)) }
  }

  private static func refusal(of push: TopicDeliveryStore.Push, _ reason: String) -> DeliveryStore.Record {
    DeliveryStore.Record(
      userID: nobody,
      notificationID: NotificationID(push.request.id.uuid),
      channel: .push,
      target: push.topic.text,
      outcome: .rejected,
      reason: reason,
      attempts: 0,
      type: push.type,
      audience: push.topic.kind
    )
  }

  /// In the place of a user.
  private static let nobody = UserID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
}
