import Foundation
import Testing

@testable import NotificationModel

@Suite struct WaitingDecisionTests {
  private let noon = DecisionSample.noon

  // MARK: Throttles

  private func throttled(
    _ then: Throttle.Excess,
    _ use: ThrottleUse?,
    _ occasion: DecisionState.Occasion = .first
  ) throws -> DecisionInput {
    let type = try DecisionSample.type { $0.throttle = Throttle(atMost: 3, per: 3_600, key: nil, then: then) }
    return try DecisionSample.input(type, state: DecisionState(occasion: occasion, throttle: use))
  }

  @Test func `beyond its throttle a type waits or is left out, but for the inbox`() throws {
    let full = ThrottleUse(count: 3, freesAt: noon + 600)
    let held = ChannelDecision.hold(until: noon + 600, .throttled)
    #expect(try throttled(.hold, full).decisions == [.deliver, held, held])
    #expect(try throttled(.drop, full).decisions == [.deliver, .skip(.throttled), .skip(.throttled)])
    #expect(try throttled(.hold, nil).push == .deliver)
    #expect(try throttled(.hold, ThrottleUse(count: 2, freesAt: noon + 600)).push == .deliver)
    // What should have left the window by now has.
    #expect(try throttled(.hold, ThrottleUse(count: 3, freesAt: noon)).push == .deliver)
  }

  @Test func `what a throttle let through is never asked about again`() throws {
    let full = ThrottleUse(count: 3, freesAt: noon + 600)
    for reason in [HoldReason.quietHours, .digest, .unread] {
      #expect(try throttled(.drop, full, .due(reason)).push == .deliver)
    }
    for reason in [HoldReason.paused, .throttled, .sendAt] {
      #expect(try throttled(.drop, full, .due(reason)).push == .skip(.throttled))
    }
    var counted = full
    counted.isCounted = true
    #expect(try throttled(.drop, counted).push == .deliver)
  }

  @Test func `a notification is counted once, when it is let through`() throws {
    func isCounted(_ input: DecisionInput) -> Bool {
      RoutingDecision.isCounted(RoutingDecision.decide(input), from: input.state, of: input.subject.type)
    }
    #expect(isCounted(try throttled(.hold, nil)))
    #expect(!isCounted(try throttled(.hold, ThrottleUse(count: 3, freesAt: noon + 600))))
    #expect(!isCounted(try throttled(.hold, nil, .due(.quietHours))))
    #expect(isCounted(try throttled(.hold, nil, .due(.throttled))))
    var input = try throttled(.hold, nil)
    input.recipient.quietHours = try DecisionSample.hours("11:00", "13:00")
    input.recipient.email = nil
    #expect(isCounted(input))
    input.recipient.pausedUntil = noon + 5
    #expect(!isCounted(input))
    input.recipient.isEnabled = false
    #expect(!isCounted(input))
    #expect(!isCounted(try DecisionSample.input(DecisionSample.type())))
  }

  // MARK: Digests

  private func digested(_ occasion: DecisionState.Occasion, window: Date? = nil) throws -> [ChannelDecision] {
    let type = try DecisionSample.type { $0.digest = DecisionSample.digest(every: 3_600) }
    let state = DecisionState(occasion: occasion, digest: window.map(DigestWindow.init))
    return try DecisionSample.input(type, state: state).decisions
  }

  @Test func `the first opens a digest's window, and the others wait in it`() throws {
    #expect(try digested(.first) == [.deliver, .hold(until: noon + 3_600, .digest), .deliver])
    #expect(try digested(.first, window: noon + 60)[1] == .hold(until: noon + 60, .digest))
    // Half-open: at its end it is over.
    #expect(try digested(.first, window: noon)[1] == .hold(until: noon + 3_600, .digest))
    #expect(try digested(.due(.sendAt))[1] == .hold(until: noon + 3_600, .digest))
    let opened = DigestWindow.after(.hold(until: noon + 9, .digest), nil)
    #expect(opened == DigestWindow(until: noon + 9))
    #expect(DigestWindow.after(.deliver, opened) == opened)
  }

  @Test func `what was gathered in quiet hours opens no window of its own, but joins one that is open`() throws {
    for reason in [HoldReason.quietHours, .paused, .throttled, .unread] {
      #expect(try digested(.due(reason))[1] == .deliver)
      #expect(try digested(.due(reason), window: noon)[1] == .deliver)
      #expect(try digested(.due(reason), window: noon + 60)[1] == .hold(until: noon + 60, .digest))
    }
    // Its own window is over, whoever has opened another.
    #expect(try digested(.due(.digest), window: noon + 60)[1] == .deliver)
  }

  // MARK: Waiting times and the sender's time

  @Test func `a channel may wait for whether it is read`() throws {
    let type = try DecisionSample.type { $0.waits[.email] = 900 }
    #expect(try DecisionSample.input(type).decisions == [.deliver, .deliver, .hold(until: noon + 900, .unread)])
    func email(_ inbox: DecisionState.Inbox, after seconds: Double) throws -> ChannelDecision? {
      let state = DecisionState(occasion: .due(.unread), inbox: inbox)
      return try DecisionSample.input(type, createdAt: noon - seconds, state: state).email
    }
    #expect(try email(.unread, after: 900) == .deliver)
    #expect(try email(.read, after: 900) == .skip(.read))
    #expect(try email(.deleted, after: 900) == .skip(.deleted))
    // Whatever else it waited for counts.
    #expect(try email(.unread, after: 899) == .hold(until: noon + 1, .unread))
  }

  @Test func `read and deleted count for what waited alone, and not for the inbox`() throws {
    let type = try DecisionSample.type()
    let new = DecisionState(occasion: .first, inbox: .read)
    #expect(try DecisionSample.input(type, state: new).decisions == [.deliver, .deliver, .deliver])
    let due = DecisionState(occasion: .due(.quietHours), inbox: .deleted)
    #expect(try DecisionSample.input(type, state: due).decisions == [.deliver, .skip(.deleted), .skip(.deleted)])
  }

  /// As what is routed again, so that one notification has one state: a message that comes twice takes both for read.
  @Test func `who archived or snoozed a notification has seen it, so what waited is left out`() {
    for state in InboxState.allCases {
      let decision: ChannelDecision = state == .inbox ? .deliver : .leftInbox(state)
      let expected: DecisionState.Inbox =
        switch state {
        case .inbox: .unread
        case .archived, .snoozed: .read
        case .deleted, .withdrawn: .deleted
        }
      #expect(DecisionState.Inbox(decision, isRead: false) == expected)
    }
    #expect(DecisionState.Inbox(.deliver, isRead: true) == .read)
  }

  @Test func `until the sender's time everything waits, the inbox too, and then all is decided afresh`() throws {
    let type = try DecisionSample.type()
    func decide(at now: Date, _ occasion: DecisionState.Occasion) throws -> [ChannelDecision] {
      try DecisionSample.input(type, sendAt: noon + 60, now: now, state: DecisionState(occasion: occasion)) {
        $0.typeChoices[.push] = false
      }.decisions
    }
    #expect(try decide(at: noon, .first) == Array(repeating: .hold(until: noon + 60, .sendAt), count: 3))
    #expect(try decide(at: noon + 60, .due(.sendAt)) == [.deliver, .skip(.preferenceOff), .deliver])
  }

  @Test func `a silent request reaches the inbox alone, and a withdrawn one nothing`() throws {
    let other = ChannelDecision.skip(.channelNotRequested)
    let type = try DecisionSample.type()
    #expect(try DecisionSample.input(type, isSilent: true).decisions == [.deliver, other, other])
    let none = Array(repeating: ChannelDecision.skip(.cancelled), count: 3)
    #expect(try DecisionSample.input(type, isCancelled: true).decisions == none)
  }

  @Test func `what is muted is found in the inbox alone, until the muting ends`() throws {
    let goal = try #require(DecisionSample.goal)
    func decide(until: Date, about entity: RelatedEntity?) throws -> [ChannelDecision] {
      try DecisionSample.input(DecisionSample.type(), about: entity) { $0.mutes = [goal: until] }.decisions
    }
    #expect(try decide(until: .distantFuture, about: goal) == [.deliver, .skip(.muted), .skip(.muted)])
    #expect(try decide(until: noon, about: goal) == [.deliver, .deliver, .deliver])
    #expect(try decide(until: .distantFuture, about: RelatedEntity(type: "Goal", id: "2"))[1] == .deliver)
    #expect(try decide(until: .distantFuture, about: nil)[1] == .deliver)
  }

  @Test func `a choice for the type comes before one for the category, and this before the catalogue's`() throws {
    func push(_ type: Bool?, _ category: Bool?) throws -> ChannelDecision? {
      try DecisionSample.input(DecisionSample.type()) {
        $0.typeChoices = ChannelChoices(push: type)
        $0.categoryChoices = ChannelChoices(push: category)
      }.push
    }
    #expect(try push(true, false) == .deliver)
    #expect(try push(false, true) == .skip(.preferenceOff))
    #expect(try push(nil, false) == .skip(.preferenceOff))
    #expect(try push(nil, nil) == .deliver)
  }
}
