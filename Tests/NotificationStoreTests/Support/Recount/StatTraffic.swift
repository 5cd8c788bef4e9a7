import Foundation
import NotificationModel
import TestSupport

@testable import NotificationStore

/// What many do at once to the same people: requests with their notifications, of some types and days, with random plans.
struct StatTraffic: Sendable {
  /// A type for each content, by their positions.
  static let types = [2, 10, 12]
  static let workers = 8

  let now = Date.now
  /// Two of each worker alone, of whom one is erased now and then; then those of all.
  let users = Sample.users(2 * workers + 4)
  let contents: [NotificationContent]
  let notifications: [NewNotification]
  let catalogue: [NotificationType]
  let people: PeopleModel

  init(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (now, users) = (now, users)
    catalogue = try Sample.types()
    people = PeopleModel(catalogue: catalogue)
    contents = try Self.types.map { try Sample.content(type: $0, at: now) }
    notifications = (0..<100).flatMap { _ in
      // Days that are counted one by one, and one that is folded.
      let time = now - ([0, 86_400, 9 * 86_400].randomElement(using: &random) ?? 0)
      let (request, content) = (RequestID(now: time), random.below(Self.types.count))
      return users.shuffled(using: &random).prefix(4).map { user in
        Sample.notification(
          user,
          request: request,
          content: content,
          inApp: Self.decision(nil, &random),
          push: Self.decision(time, &random),
          email: Self.decision(time, &random)
        )
      }
    }
  }

  /// - Parameter due: Until when it may be held; nil is nothing for an inbox.
  private static func decision(_ due: Date?, _ random: inout SplitMix64) -> ChannelDecision {
    let held = due.map { ChannelDecision.hold(until: $0, .paused) } ?? .deliver
    return [.deliver, held, .skip(.preferenceOff)].randomElement(using: &random) ?? .deliver
  }

  /// Whose choices all change; nobody erases them.
  var everybodys: [UserID] { Array(users.suffix(4)) }

  func some(_ count: Int, _ random: inout SplitMix64) -> [NewNotification] {
    Array(notifications.shuffled(using: &random).prefix(count))
  }

  func type(of notification: NewNotification) -> Int { contents[notification.content].type }

  /// Some outcome on one of two devices, or at the address.
  func record(_ notification: NewNotification, _ random: inout SplitMix64) -> DeliveryStore.Record {
    let isPush = Bool.random(using: &random)
    return record(
      notification.id,
      of: notification.userID,
      on: isPush ? .push : .email,
      type: type(of: notification),
      &random
    )
  }

  func record(
    _ id: NotificationID,
    of user: UserID,
    on channel: Channel,
    type: Int,
    _ random: inout SplitMix64
  ) -> DeliveryStore.Record {
    DeliveryStore.Record(
      userID: user,
      notificationID: id,
      channel: channel,
      target: channel == .push ? "device \(random.below(2))" : "ann@example.org",
      outcome: DeliveryOutcome.allCases.randomElement(using: &random) ?? .delivered,
      attempts: 1,
      type: type
    )
  }
}
