import Foundation
import NotificationModel
import NotificationStore

/// One channel of one notification that waited: what the first decision was, and what is decided now that it is due. Pure.
struct Reevaluation {
  let entry: HeldEntry
  let content: HeldContent
  let type: NotificationType
  let routing: any RoutingChannel
  let recipient: Recipient
  let subject: DecisionSubject
  /// What it waited for, as it is stored with the notification.
  let reason: HoldReason
  /// The decision that is stored.
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
    guard let former = content.plan[routing.channel], case .hold(_, let reason) = former else { return nil }
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

  /// The digest window that it would gather in; nil where its type has no digest on this channel.
  var window: HeldStore.WindowKey? {
    guard let digest = type.digest, digest.channel == routing.channel else { return nil }
    return .init(user: entry.key.user, channel: routing.channel, type: type.code, key: entry.digestKey ?? "")
  }

  /// What dispatchers get if it is delivered by itself.
  var message: NotificationContent { content.message(type: type, collapseKey: entry.collapseKey) }

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

  /// Decides as if the type's throttle had room.
  ///
  /// - Returns: What the throttle must count for that decision; nil if no throttle is asked.
  mutating func decide(with windows: [HeldStore.WindowKey: DigestWindow]) -> HeldStore.ThrottleCandidate? {
    let state = state(throttle: nil, windows)
    decision = decision(on: state)
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

  /// Decides again, knowing that the type's throttle has no room until then.
  mutating func decide(throttledUntil until: Date, with windows: [HeldStore.WindowKey: DigestWindow]) {
    guard let throttle = type.throttle else { return }
    decision = decision(on: state(throttle: ThrottleUse(count: throttle.atMost, freesAt: until), windows))
  }

  private func state(throttle: ThrottleUse?, _ windows: [HeldStore.WindowKey: DigestWindow]) -> DecisionState {
    DecisionState(
      occasion: .due(reason),
      inbox: content.inbox,
      throttle: throttle,
      digest: window.flatMap { windows[$0] }
    )
  }

  private func decision(on state: DecisionState) -> ChannelDecision {
    let input = DecisionInput(subject, to: recipient, state: state)
    return RoutingDecision.decide(input, channels: [routing])[routing.channel] ?? former
  }
}
