import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// What tests of held rows share: a row, and what becomes of it.
protocol HeldCases {}

/// Whole seconds: what is stored has milliseconds.
private let beginning = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))

extension HeldCases {
  static var start: Date { beginning }
  static var type: Int { 10 }
  var start: Date { beginning }

  static func held(
    _ user: UserID,
    at time: Date = start,
    until: Date,
    _ reason: HoldReason = .paused,
    channel: Channel = .push,
    keys: WaitingKeys? = nil
  ) -> NewNotification {
    var notification = Sample.notification(user, request: RequestID(now: time))
    notification.plan[channel] = .hold(until: until, reason)
    notification.waiting = keys
    return notification
  }

  func claim(_ store: HeldStore, at now: Date, limit: Int = 500) async throws -> HeldClaim {
    try await store.claim(types: [Self.type], limit: limit, now: now, until: now + 60)
  }

  func key(_ notification: NewNotification, _ channel: Channel = .push) -> HeldEntry.Key {
    .init(user: notification.userID, notification: notification.id, channel: channel)
  }

  func plans(_ notifications: [NewNotification], _ store: HeldStore) async throws -> [RoutingPlan?] {
    let contents = try await store.contents(of: notifications.map { ($0.userID, $0.id) })
    return notifications.map { contents[$0.id]?.plan }
  }

  func deliver(_ claim: HeldClaim, _ notification: NewNotification) -> HeldSettlement.Change {
    change(claim, notification, .deliver)
  }

  func change(_ claim: HeldClaim, _ item: NewNotification, _ to: ChannelDecision) -> HeldSettlement.Change {
    let entry = claim.entries.first { $0.key == key(item) } ?? claim.entries[0]
    let from = ChannelDecision.hold(until: entry.due, entry.reason)
    return .init(entry, DecisionChange(id: item.id, userID: item.userID, from: from, to: to))
  }
}
