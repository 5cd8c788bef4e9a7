import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// Decides the notifications of one batch, one after the other: what one of them does to a digest's window or a throttle,
/// those after it see. Pure.
struct BatchDecision {
  let channels: [any RoutingChannel]
  let now: Date
  /// The windows that are open.
  private var windows: [HeldStore.WindowKey: DigestWindow]
  private(set) var items: [NewNotification] = []
  private(set) var recipients: [Recipient] = []
  /// Those that would be let through, for the throttles to count, and their places among the items.
  private(set) var claims: [HeldStore.ThrottleClaim] = []
  private var places: [Int] = []
  /// By which job each of the items is routed.
  private var jobs: [Int] = []

  /// - Parameter count: How many notifications there will be, about.
  init(
    channels: [any RoutingChannel],
    windows: [HeldStore.WindowKey: DigestWindow],
    now: Date,
    count: Int
  ) {
    self.channels = channels
    self.windows = windows
    self.now = now
    items.reserveCapacity(count)
    recipients.reserveCapacity(count)
  }

  /// - Parameters:
  ///   - index: The job's.
  ///   - subject: The job's.
  ///   - content: Index of what it says to this recipient.
  ///   - isTextTooLong: Whether that would be too long to be told.
  mutating func add(
    _ id: NotificationID,
    of job: RoutingJob,
    _ index: Int,
    _ subject: DecisionSubject,
    to recipient: Recipient,
    content: Int,
    isTextTooLong: Bool
  ) {
    let plan = decide(job, subject, to: recipient, throttle: nil, isTextTooLong: isTextTooLong)
    if let throttle = job.type.throttle,
      RoutingDecision.isCounted(plan, from: DecisionState(), of: job.type, channels: channels)
    {
      let key = job.part.throttleKey ?? ""
      places.append(items.count)
      claims.append(
        .init(user: recipient.id, notification: id, type: job.type.code, key: key, throttle: throttle)
      )
    }
    let waits = plan.entries.contains { $0.value.heldUntil != nil }
    items.append(
      NewNotification(
        id: id,
        userID: recipient.id,
        requestID: job.part.requestId,
        owner: job.part.owner,
        content: content,
        plan: plan,
        waiting: waits ? job.waitingKeys(of: recipient, now: now) : nil,
        siblings: job.part.date?.notificationIDs
      )
    )
    jobs.append(index)
    recipients.append(recipient)
  }

  /// Decides afresh what the throttles refused.
  mutating func apply(_ answers: [HeldStore.ThrottleAnswer], jobs all: [RoutingJob], subjects: [DecisionSubject]) {
    for claim in answers.indices {
      guard case .refused(let until) = answers[claim] else { continue }
      let place = places[claim]
      let job = all[jobs[place]]
      let use = ThrottleUse(count: claims[claim].throttle.atMost, freesAt: until)
      items[place].plan = decide(job, subjects[jobs[place]], to: recipients[place], throttle: use)
      items[place].waiting = job.waitingKeys(of: recipients[place], now: now)
    }
  }

  /// What was counted in vain: the decision that counts was made before.
  func wasted(_ answers: [HeldStore.ThrottleAnswer], _ stored: [StoredNotification]) -> [HeldStore.ThrottleClaim] {
    claims.indices.filter { answers[$0] == .granted(isNew: true) && !stored[places[$0]].isNew }.map { claims[$0] }
  }

  private mutating func decide(
    _ job: RoutingJob,
    _ subject: DecisionSubject,
    to recipient: Recipient,
    throttle: ThrottleUse?,
    // What is too long is counted by no throttle, so it is not decided again.
    isTextTooLong: Bool = false
  ) -> RoutingPlan {
    let window = job.window(of: recipient.id)
    let state = DecisionState(throttle: throttle, digest: window.flatMap { windows[$0] })
    let plan = RoutingDecision.decide(
      DecisionInput(subject, to: recipient, state: state, isTextTooLong: isTextTooLong),
      channels: channels
    )
    if let window { windows[window] = DigestWindow.after(plan[window.channel], windows[window]) }
    return plan
  }
}
