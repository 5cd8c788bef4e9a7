import Foundation
import Testing
import WallClock

@testable import NotificationModel

@Suite struct ExplanationTests {
  /// What a support person reads, the input that leads to it, and on which channel.
  private static func sentences() throws -> [(String, Channel, DecisionInput)] {
    let goal = try #require(DecisionSample.goal)
    let noon = DecisionSample.noon
    let type = try DecisionSample.type()
    func sample(
      _ type: NotificationType = type,
      requested: Set<Channel>? = nil,
      expiresAt: Date? = nil,
      sendAt: Date? = nil,
      isSilent: Bool = false,
      isCancelled: Bool = false,
      now: Date = noon,
      state: DecisionState = DecisionState(),
      recipient change: (inout Recipient) throws -> Void = { _ in }
    ) throws -> DecisionInput {
      try DecisionSample.input(
        type,
        requested: requested,
        about: goal,
        expiresAt: expiresAt,
        sendAt: sendAt,
        isSilent: isSilent,
        isCancelled: isCancelled,
        now: now,
        state: state,
        recipient: change
      )
    }
    func changed(_ change: (inout NotificationType) -> Void) throws -> NotificationType {
      try DecisionSample.type(change)
    }
    let night = try DecisionSample.berlin("2026-11-21", "23:30")
    let throttle = Throttle(atMost: 3, per: 3_600, key: nil, then: .hold)
    let full = DecisionState(throttle: ThrottleUse(count: 3, freesAt: noon + 1_200))
    func quiet(_ recipient: inout Recipient) throws {
      recipient.quietHours = try DecisionSample.hours("22:00", "07:00")
    }
    return [
      ("in-app sent at once", .inApp, try sample()),
      ("push sent at once", .push, try sample()),
      ("push left out: it expired at 12:00 Europe/Berlin", .push, try sample(expiresAt: noon)),
      (
        "push left out: it expired at 2026-11-19 12:00 Europe/Berlin", .push, try sample(expiresAt: noon - 2 * 86_400)
      ),
      ("push left out: the request was withdrawn", .push, try sample(isCancelled: true)),
      ("push left out: the request is for in-app, email only", .push, try sample(requested: [.email, .inApp])),
      ("push left out: the request is for no channel", .push, try sample(requested: [])),
      ("email left out: the request is silent, for the inbox only", .email, try sample(isSilent: true)),
      (
        "in-app held until 13:00 Europe/Berlin: the sender set a time, 13:00 Europe/Berlin", .inApp,
        try sample(sendAt: noon + 3_600)
      ),
      ("in-app left out: the user switched notifications off", .inApp, try sample { $0.isEnabled = false }),
      (
        "push left out: the user's choice for the type AllowanceDeposit is push off", .push,
        try sample { $0.typeChoices[.push] = false }
      ),
      (
        "in-app left out: the user's choice for the category Allowance is in-app off", .inApp,
        try sample {
          $0.typeChoices = ChannelChoices()
          $0.categoryChoices[.inApp] = false
        }
      ),
      (
        "email left out: the catalogue's default for AllowanceDeposit is email off", .email,
        try sample { $0.typeChoices = ChannelChoices() }
      ),
      ("push left out: the user muted goal g-1", .push, try sample { $0.mutes = [goal: .distantFuture] }),
      (
        "email left out: the user muted goal g-1 until 18:00 Europe/Berlin", .email,
        try sample { $0.mutes = [goal: noon + 6 * 3_600] }
      ),
      ("push left out: no active device is registered", .push, try sample { $0.devices = [] }),
      (
        "push left out: no provider is set up for the user's devices", .push,
        try sample { $0.devices[0].platform = .webPush }
      ),
      ("email left out: the profile has no email address", .email, try sample { $0.email = nil }),
      (
        "email left out: the email address bounced", .email,
        try sample { $0.emailSuppression = AddressSuppression(.hardBounce) }
      ),
      (
        "email left out: the email address bounced (suppressed since 2026-11-19 12:00 Europe/Berlin)", .email,
        try sample { $0.emailSuppression = AddressSuppression(.hardBounce, since: noon - 2 * 86_400) }
      ),
      (
        "email left out: an operator wants no mail to the address (suppressed since 11:00 Europe/Berlin)", .email,
        try sample { $0.emailSuppression = AddressSuppression(.manual, since: noon - 3_600) }
      ),
      (
        "email left out: the user called a mail spam, and may unsubscribe from these "
          + "(suppressed since 11:00 Europe/Berlin)",
        .email,
        try sample(changed { $0.mail.mayUnsubscribe = true }) {
          $0.emailSuppression = AddressSuppression(.complaint, since: noon - 3_600)
        }
      ),
      ("push left out: the user has goal g-1 on the screen", .push, try sample { $0.viewing = [goal] }),
      (
        "email left out: the user had read it before", .email,
        try sample(state: DecisionState(occasion: .due(.unread), inbox: .read))
      ),
      (
        "push left out: the user had deleted it before", .push,
        try sample(state: DecisionState(occasion: .due(.quietHours), inbox: .deleted))
      ),
      (
        "push held until 14:00 Europe/Berlin: the user paused notifications until 14:00 Europe/Berlin, policy defer",
        .push, try sample { $0.pausedUntil = noon + 7_200 }
      ),
      (
        "push left out: the user paused notifications until 14:00 Europe/Berlin, policy drop", .push,
        try sample(changed { $0.quietHours = .drop }) { $0.pausedUntil = noon + 7_200 }
      ),
      (
        "push held until 12:20 Europe/Berlin: at most 3 in 1 hour, 3 before it, policy hold", .push,
        try sample(changed { $0.throttle = throttle }, state: full)
      ),
      (
        "push left out: at most 3 in 1 hour, 3 before it, policy drop", .push,
        try sample(
          changed {
            $0.throttle = throttle
            $0.throttle?.then = .drop
          },
          state: full
        )
      ),
      (
        "push held until 07:00 Europe/Berlin: quiet hours 22:00-07:00, policy defer", .push,
        try sample(now: night, recipient: quiet)
      ),
      (
        "push held until 07:00 Europe/Berlin: quiet hours 22:00-07:00, policy digest", .push,
        try sample(changed { $0.quietHours = .compose }, now: night, recipient: quiet)
      ),
      (
        "push left out: quiet hours 22:00-07:00, policy drop", .push,
        try sample(changed { $0.quietHours = .drop }, now: night, recipient: quiet)
      ),
      ("push sent at once", .push, try sample(changed { $0.quietHours = .pierce }, now: night, recipient: quiet)),
      (
        "push held until 13:00 Europe/Berlin: delivered together with others of 1 hour", .push,
        try sample(changed { $0.digest = DecisionSample.digest(every: 3_600) })
      ),
      (
        "email held until 12:15 Europe/Berlin: only if it is still unread after 15 minutes", .email,
        try sample(changed { $0.waits[.email] = 900 })
      ),
    ]
  }

  @Test func `every outcome can be read to a customer`() throws {
    for (words, channel, input) in try Self.sentences() {
      let explanation = Explanation(input)
      #expect(explanation.lines.first { $0.channel == channel }?.words == words)
    }
  }

  @Test func `an explanation is the decision, its rule and its trace`() throws {
    var dice = SampleDice(seed: 3)
    for _ in 0..<500 {
      let input = try DecisionSample.random(&dice)
      let explanation = Explanation(input)
      let (plan, trace) = RoutingDecision.trace(input)
      #expect(explanation.trace == trace)
      for line in explanation.lines {
        #expect(line.decision == plan[line.channel])
        #expect((line.rule == nil) == (line.decision == .deliver))
        #expect(line.until == line.decision.heldUntil)
        #expect(
          ["deliver": line.reason == nil, "hold": line.until != nil, "skip": line.reason != nil][line.verb] == true
        )
      }
    }
  }

  @Test func `a suppressed address says since when`() throws {
    let since = DecisionSample.noon - 86_400
    let input = try DecisionSample.input(DecisionSample.type()) {
      $0.emailSuppression = AddressSuppression(.hardBounce, since: since)
    }
    let lines = Explanation(input).lines
    #expect(lines.map(\.since) == [nil, nil, since])
    #expect(lines.last?.reason == "emailSuppressed" && lines.last?.rule == "reachable")
    // A complaint stops nothing here.
    let complained = try DecisionSample.input(DecisionSample.type()) {
      $0.emailSuppression = AddressSuppression(.complaint, since: since)
    }
    #expect(Explanation(complained).lines.allSatisfy { $0.since == nil && $0.decision == .deliver })
  }

  @Test func `what is stored of the past is explained by its reasons`() throws {
    var plan = RoutingPlan()
    plan[.inApp] = .deliver
    plan[.push] = .hold(until: DecisionSample.noon + 600, .quietHours)
    plan[.email] = .skip(SkipReason(rawValue: 77))
    let zone = try #require(Zone("Europe/Berlin"))
    let explanation = Explanation(stored: plan, in: zone, now: DecisionSample.noon)
    #expect(
      explanation.lines.map(\.words) == [
        "in-app sent at once", "push held until 12:10 Europe/Berlin: the user's quiet hours",
        "email left out: reason 77",
      ]
    )
    #expect(explanation.lines.allSatisfy { $0.rule == nil } && explanation.trace.steps.isEmpty)
  }

  @Test(arguments: [
    (1, "1 second"), (90, "90 seconds"), (60, "1 minute"), (900, "15 minutes"), (3_600, "1 hour"), (86_400, "1 day"),
    (172_800, "2 days"), (0, "0 seconds"),
  ])
  func `a length of time is said in its largest unit`(seconds: Int, words: String) {
    #expect(spoken(seconds: seconds) == words)
  }
}
