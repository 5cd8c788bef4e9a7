import Foundation
import Testing
import WallClock

@testable import NotificationModel

@Suite struct DecisionRulesTests {
  private let noon = DecisionSample.noon

  /// Every rule with an input to which it objects on push, each also with all that later rules object to.
  private static func objections() throws -> [(rule: String, ease: (inout Objections) -> Void)] {
    [
      ("expiry", { $0.expiresAt = nil }),
      ("cancelled", { $0.isCancelled = false }),
      ("requested", { $0.requested = nil }),
      ("silent", { $0.isSilent = false }),
      ("text", { $0.isTextTooLong = false }),
      ("sendAt", { $0.sendAt = nil }),
      ("masterSwitch", { $0.isEnabled = true }),
      ("preference", { $0.choices = ChannelChoices(push: true) }),
      ("muted", { $0.isMuted = false }),
      ("reachable", { $0.hasDevice = true }),
      ("viewing", { $0.isViewing = false }),
      ("seen", { $0.inbox = .unread }),
      ("pause", { $0.pausedUntil = nil }),
      ("throttle", { $0.throttle = nil }),
      ("quietHours", { $0.isQuiet = false }),
      ("digest", { $0.window = nil }),
      ("wait", { $0.createdAt = .distantPast }),
    ]
  }

  /// All that can stand in the way of a push at once.
  private struct Objections {
    var expiresAt: Date? = DecisionSample.noon
    var isCancelled = true
    var requested: Set<Channel>? = [.email]
    var isSilent = true
    var isTextTooLong = true
    var sendAt: Date? = DecisionSample.noon + 60
    var isEnabled = false
    var choices = ChannelChoices(push: false)
    var isMuted = true
    var hasDevice = false
    var isViewing = true
    var inbox = DecisionState.Inbox.read
    var pausedUntil: Date? = DecisionSample.noon + 60
    var throttle: ThrottleUse? = ThrottleUse(count: 3, freesAt: DecisionSample.noon + 60)
    var isQuiet = true
    var window: DigestWindow? = DigestWindow(until: DecisionSample.noon + 60)
    var createdAt = DecisionSample.noon

    func input() throws -> DecisionInput {
      let goal = try #require(DecisionSample.goal)
      let type = try DecisionSample.type {
        $0.throttle = Throttle(atMost: 3, per: 3_600, key: nil, then: .hold)
        $0.digest = DecisionSample.digest(every: 3_600)
        $0.waits[.push] = 900
      }
      var input = try DecisionSample.input(
        type,
        requested: requested,
        about: goal,
        createdAt: createdAt,
        expiresAt: expiresAt,
        sendAt: sendAt,
        isSilent: isSilent,
        isCancelled: isCancelled,
        // The time that its sender set has come: every rule is asked.
        state: DecisionState(occasion: .due(.throttled), inbox: inbox, throttle: throttle, digest: window)
      ) {
        $0.isEnabled = isEnabled
        $0.typeChoices = choices
        if isMuted { $0.mutes = [goal: .distantFuture] }
        if !hasDevice { $0.devices = [] }
        if isViewing { $0.viewing = [goal] }
        $0.pausedUntil = pausedUntil
        if isQuiet { $0.quietHours = try DecisionSample.hours("11:00", "13:00") }
      }
      input.isTextTooLong = isTextTooLong
      return input
    }
  }

  @Test func `rules are asked in their order, and the first that objects decides`() throws {
    var standing = Objections()
    for (rule, ease) in try Self.objections() {
      let input = try standing.input()
      let (plan, trace) = RoutingDecision.trace(input)
      #expect(plan[.push] != .deliver)
      #expect(trace.deciding(on: .push)?.rule == rule)
      #expect(trace.deciding(on: .push)?.said.decision == plan[.push])
      ease(&standing)
    }
    let free = RoutingDecision.trace(try standing.input())
    #expect(free.plan[.push] == .deliver)
    #expect(free.trace.steps.filter { $0.channel == .push }.map(\.rule) == (try Self.objections().map(\.rule)))
    #expect(free.trace.steps.filter { $0.channel == .push }.allSatisfy { $0.said == .pass && !$0.saw.isEmpty })
  }

  @Test func `a decision with its trace is the one without, and never holds until a time that has passed`() throws {
    var dice = SampleDice(seed: 7)
    for _ in 0..<4_000 {
      let input = try DecisionSample.random(&dice)
      let plan = RoutingDecision.decide(input)
      let (traced, trace) = RoutingDecision.trace(input)
      #expect(plan == traced)
      for entry in plan.entries {
        #expect(trace.deciding(on: entry.channel)?.said.decision == entry.value)
        if let until = entry.value.heldUntil { #expect(until > input.subject.now) }
      }
      // In-app is silent: it waits for nothing but the time that its sender set.
      if case .hold(_, let reason) = plan[.inApp] { #expect(reason == .sendAt) }
    }
  }

  @Test func `what is held comes due, and waits for each thing at most once more if nothing changes`() throws {
    var dice = SampleDice(seed: 11)
    for _ in 0..<2_000 {
      var input = try DecisionSample.random(&dice)
      for channel in Channel.allCases {
        var looks = 0
        while case .hold(let until, let reason) = RoutingDecision.decide(input)[channel], looks < 9 {
          looks += 1
          input = input.looking(at: until, after: reason)
        }
        #expect(looks < 9)
        // Asked again at the same moment, it says the same.
        #expect(RoutingDecision.decide(input) == RoutingDecision.decide(input))
      }
    }
  }
}

extension DecisionInput {
  /// A re-evaluation; throttles and digest windows are over by then.
  fileprivate func looking(at now: Date, after reason: HoldReason) -> DecisionInput {
    let subject = DecisionSubject(
      type: subject.type,
      requested: subject.requested,
      about: subject.entity,
      createdAt: subject.createdAt,
      expiresAt: subject.expiresAt,
      sendAt: subject.sendAt,
      isSilent: subject.isSilent,
      now: now,
      spread: subject.spread
    )
    var state = state
    state.occasion = .due(reason)
    return DecisionInput(subject, to: recipient, state: state)
  }
}
