import Foundation
import Testing
import WallClock

@testable import NotificationModel

/// A recipient who can be reached in every way, a type without rules of its own, and a quiet Saturday noon in Berlin.
enum DecisionSample {
  /// 2026-11-21 12:00 in Berlin, 11:00 UTC.
  static let noon = Date(timeIntervalSince1970: 1_795_258_800)
  static let goal = RelatedEntity(type: "Goal", id: "G-1")
  static let everything = PerChannel(inApp: true, push: true, email: true)

  /// Read once: it is YAML.
  private static let builtIn = try? Catalogue()

  static func type(_ change: (inout NotificationType) -> Void = { _ in }) throws -> NotificationType {
    var type = try #require(builtIn?.type(.code(10)))
    change(&type)
    return type
  }

  static func recipient(_ change: (inout Recipient) throws -> Void = { _ in }) throws -> Recipient {
    var recipient = Recipient(id: try #require(UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b")))
    recipient.email = "mia@example.com"
    recipient.typeChoices = ChannelChoices(everything)
    recipient.zone = Zone("Europe/Berlin")
    recipient.devices = [
      Device(id: try #require(DeviceID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")), token: "token", platform: .android)
    ]
    try change(&recipient)
    return recipient
  }

  static func hours(_ start: String, _ end: String, _ zone: String = "Europe/Berlin") throws -> QuietHours {
    let (start, end) = (try #require(LocalTime(start)), try #require(LocalTime(end)))
    let zone = try #require(Zone(zone))
    return try #require(QuietHours(start: start, end: end, zone: zone))
  }

  /// An instant by a clock in Berlin.
  static func berlin(_ date: String, _ time: String) throws -> Date {
    let (date, time) = (try #require(LocalDate(date)), try #require(LocalTime(time)))
    return try #require(Zone("Europe/Berlin")).instant(of: date, at: time)
  }

  static func input(
    _ type: NotificationType,
    requested: Set<Channel>? = nil,
    about entity: RelatedEntity? = nil,
    createdAt: Date? = nil,
    expiresAt: Date? = nil,
    sendAt: Date? = nil,
    isSilent: Bool = false,
    isCancelled: Bool = false,
    now: Date = noon,
    spread: Int = 0,
    state: DecisionState = DecisionState(),
    recipient change: (inout Recipient) throws -> Void = { _ in }
  ) throws -> DecisionInput {
    let subject = DecisionSubject(
      type: type,
      requested: requested,
      about: entity,
      createdAt: createdAt,
      expiresAt: expiresAt,
      sendAt: sendAt,
      isSilent: isSilent,
      isCancelled: isCancelled,
      now: now,
      spread: DueSpread(seconds: spread)
    )
    return DecisionInput(subject, to: try recipient(change), state: state)
  }
}

extension DecisionInput {
  /// In-app, push, email.
  var decisions: [ChannelDecision] {
    let plan = RoutingDecision.decide(self)
    return Channel.allCases.compactMap { plan[$0] }
  }

  var push: ChannelDecision? { RoutingDecision.decide(self)[.push] }
  var email: ChannelDecision? { RoutingDecision.decide(self)[.email] }
}
