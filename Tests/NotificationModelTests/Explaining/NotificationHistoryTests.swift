import Foundation
import Testing
import WallClock

@testable import NotificationModel

@Suite struct NotificationHistoryTests {
  private static let noon = DecisionSample.noon

  private static func delivery(
    _ outcome: DeliveryOutcome,
    on channel: Channel = .push,
    reason: String? = nil,
    attempts: Int = 1
  ) -> NotificationHistory.Delivery {
    NotificationHistory.Delivery(
      channel: channel,
      target: "device",
      outcome: outcome.rawValue,
      reason: reason,
      providerID: nil,
      attempts: attempts,
      finishedAt: noon + 60
    )
  }

  private static func history(
    _ plan: RoutingPlan,
    readAt: Date? = nil,
    deliveries: [NotificationHistory.Delivery] = []
  ) -> NotificationHistory {
    let request = RequestID(now: noon)
    return NotificationHistory(
      id: NotificationID(request: request, recipient: UserID(UUID())),
      requestID: request,
      type: 10,
      plan: plan,
      createdAt: noon,
      expiresAt: noon + 3_600,
      readAt: readAt,
      deliveries: deliveries
    )
  }

  private static func words(_ history: NotificationHistory, now: Date = noon + 120) throws -> [String] {
    history.explanation(in: try #require(Zone("Europe/Berlin")), now: now).lines.map(\.words)
  }

  @Test func `what left the inbox is shown with how it left, and what never came in with why`() throws {
    func inApp(_ decision: ChannelDecision, readAt: Date? = nil) throws -> String? {
      let plan = RoutingPlan(inApp: decision, push: .skip(.preferenceOff), email: .skip(.preferenceOff))
      return try Self.words(Self.history(plan, readAt: readAt)).first
    }
    let came = "in-app in the inbox at 12:00 Europe/Berlin"
    #expect(try inApp(.leftInbox(.deleted)) == "\(came), not read, then gone: the user deleted it")
    #expect(
      try inApp(.leftInbox(.archived), readAt: Self.noon + 60)
        == "\(came), read at 12:01 Europe/Berlin, then gone: the user archived it"
    )
    #expect(try inApp(.leftInbox(.snoozed)) == "\(came), not read, then gone: the user snoozed it")
    #expect(
      try inApp(.leftInbox(.withdrawn))
        == "\(came), not read, then gone: the request was withdrawn after it was delivered"
    )
    #expect(try inApp(.skip(.notificationsOff)) == "in-app left out: the user switched notifications off")
  }

  @Test func `a mail that was left out says since when the address is suppressed, unless that began later`() throws {
    let plan = RoutingPlan(inApp: .deliver, push: .skip(.muted), email: .skip(.emailSuppressed))
    let zone = try #require(Zone("Europe/Berlin"))
    func line(_ since: Date?) throws -> Explanation.Line? {
      Self.history(plan).explanation(
        in: zone,
        now: Self.noon + 120,
        suppression: since.map { AddressSuppression(.hardBounce, since: $0) }
      ).lines.last
    }
    let known = try line(Self.noon - 60)
    #expect(known?.words == "email left out: the email address bounced (suppressed since 11:59 Europe/Berlin)")
    #expect(known?.since == Self.noon - 60)
    for since in [nil, Self.noon + 60] {
      #expect(try line(since)?.words == "email left out: \(SkipReason.emailSuppressed.words)")
      #expect(try line(since)?.since == nil)
    }
  }

  @Test func `what was sent is shown with what became of it`() throws {
    let all = PerChannel<ChannelDecision>(inApp: .deliver, push: .deliver, email: .deliver)
    let outcomes = [
      Self.delivery(.delivered), Self.delivery(.rejected), Self.delivery(.expired, on: .email, reason: "late"),
    ]
    #expect(
      try Self.words(Self.history(all, readAt: Self.noon + 90, deliveries: outcomes)) == [
        "in-app in the inbox since 12:00 Europe/Berlin, read at 12:01 Europe/Berlin",
        "push delivered to 1 of 2 targets", "email sent, but not delivered to its only target",
      ]
    )
    #expect(
      try Self.words(Self.history(all, deliveries: [Self.delivery(.delivered)])) == [
        "in-app in the inbox since 12:00 Europe/Berlin, not read yet", "push delivered to its only target",
        "email sent, and nothing known of it yet",
      ]
    )
    #expect(
      try Self.words(Self.history(all), now: Self.noon + 4_000).last
        == "email sent, and nothing known of it yet, though it has expired meanwhile"
    )
  }

  @Test func `what was not sent is shown by its decision`() throws {
    let plan = PerChannel<ChannelDecision>(
      inApp: .skip(.preferenceOff),
      push: .hold(until: Self.noon + 600, .quietHours),
      email: .skip(.noEmailAddress)
    )
    let history = Self.history(plan)
    #expect(
      try Self.words(history) == [
        "in-app left out: it is off on this channel, by the user's choice or by default",
        "push held until 12:10 Europe/Berlin: the user's quiet hours",
        "email left out: the profile has no email address",
      ]
    )
    let lines = history.explanation(in: .utc, now: Self.noon).lines
    #expect(lines.map(\.decision) == plan.entries.map(\.value))
  }

  @Test(arguments: [
    (delivery(.delivered), "accepted by the provider at 12:01 Europe/Berlin"),
    (delivery(.rejected, reason: "UNREGISTERED"), "refused for good at 12:01 Europe/Berlin: UNREGISTERED"),
    (
      delivery(.rejected, on: .email, reason: "preferenceOff"),
      "not sent any more at 12:01 Europe/Berlin: it is off on this channel, by the user's choice or by default"
    ),
    (delivery(.rejected, reason: "preferenceOff"), "refused for good at 12:01 Europe/Berlin: preferenceOff"),
    (
      delivery(.rejected, on: .email, reason: "textTooLong"),
      "refused for good at 12:01 Europe/Berlin: textTooLong"
    ),
    (
      delivery(.exhausted, reason: "UNAVAILABLE", attempts: 6),
      "given up and dead-lettered after 6 attempts at 12:01 Europe/Berlin: UNAVAILABLE"
    ),
    (delivery(.expired), "expired before it could be delivered, at 12:01 Europe/Berlin"),
    (
      delivery(.uncertain),
      "handed over and not answered when the dispatcher stopped at 12:01 Europe/Berlin; it may have arrived"
    ),
  ])
  func `each target's outcome is shown`(_ delivery: NotificationHistory.Delivery, _ words: String) throws {
    #expect(delivery.words(in: try #require(Zone("Europe/Berlin")), now: Self.noon) == words)
  }

  @Test func `an outcome of another version is shown by its code`() throws {
    var delivery = Self.delivery(.delivered)
    delivery.outcome = 9
    #expect(delivery.words(in: .utc, now: Self.noon) == "outcome 9 at 11:01 UTC")
  }
}
