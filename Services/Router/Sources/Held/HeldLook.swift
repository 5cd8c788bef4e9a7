import Foundation
import NotificationModel
import NotificationStore

/// The second look at one channel of one notification: what waited, and what is decided of it now. Pure.
struct HeldLook {
  let entry: HeldEntry
  let content: HeldContent
  let type: NotificationType
  let routing: any RoutingChannel
  let recipient: Recipient
  let subject: DecisionSubject
  /// What it waited for, as it is stored with the notification.
  let reason: HoldReason
  /// What is stored.
  let former: ChannelDecision
  private(set) var decision: ChannelDecision

  /// Nil unless it still waits.
  init?(
    _ entry: HeldEntry,
    _ content: HeldContent,
    type: NotificationType,
    routing: any RoutingChannel,
    recipient: Recipient,
    isCancelled: Bool,
    now: Date,
    spread: DueSpread
  ) {
    guard case .hold(_, let reason)? = content.plan[routing.channel], let former = content.plan[routing.channel] else {
      return nil
    }
    self.entry = entry
    self.content = content
    self.type = type
    self.routing = routing
    self.recipient = recipient
    self.reason = reason
    self.former = former
    decision = former
    subject = DecisionSubject(
      type: type,
      about: content.message(type: type).relatedEntity,
      createdAt: content.createdAt,
      expiresAt: content.expiresAt,
      isCancelled: isCancelled,
      now: now,
      spread: spread
    )
  }

  /// What it would gather in; nil where its type has no digest on this channel.
  var window: HeldStore.WindowKey? {
    guard let digest = type.digest, digest.channel == routing.channel else { return nil }
    return .init(user: entry.key.user, channel: routing.channel, type: type.code, key: entry.digestKey ?? "")
  }

  /// Decides, as if a throttle had room.
  ///
  /// - Returns: What a throttle must count for that; nil if none is asked.
  mutating func decide(_ windows: [HeldStore.WindowKey: DigestWindow]) -> HeldStore.ThrottleClaim? {
    let state = state(throttle: nil, windows)
    decision = decision(state)
    var plan = RoutingPlan()
    plan[routing.channel] = decision
    guard let throttle = type.throttle,
      RoutingDecision.isCounted(plan, from: state, of: type, channels: [routing])
    else { return nil }
    return .init(
      user: entry.key.user,
      notification: entry.key.notification,
      type: type.code,
      key: entry.throttleKey ?? "",
      throttle: throttle
    )
  }

  /// Decides afresh what its throttle has no room for until then.
  mutating func refuse(until: Date, _ windows: [HeldStore.WindowKey: DigestWindow]) {
    guard let throttle = type.throttle else { return }
    decision = decision(state(throttle: ThrottleUse(count: throttle.atMost, freesAt: until), windows))
  }

  /// What composition must know of it.
  var item: HeldItem {
    HeldItem(
      id: entry.key.notification,
      type: type.code,
      title: content.title,
      data: content.data,
      reason: reason,
      due: entry.due,
      policy: type.quietHours,
      gathering: window.flatMap { window in
        type.digest.map { HeldItem.Gathering(key: window.key, texts: $0.texts) }
      }
    )
  }

  private func state(throttle: ThrottleUse?, _ windows: [HeldStore.WindowKey: DigestWindow]) -> DecisionState {
    DecisionState(
      look: .due(reason),
      inbox: content.inbox,
      throttle: throttle,
      digest: window.flatMap { windows[$0] }
    )
  }

  private func decision(_ state: DecisionState) -> ChannelDecision {
    let input = DecisionInput(subject, to: recipient, state: state)
    return RoutingDecision.decide(input, channels: [routing])[routing.channel] ?? former
  }
}
