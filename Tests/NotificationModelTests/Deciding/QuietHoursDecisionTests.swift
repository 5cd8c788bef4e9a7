import Foundation
import Testing
import WallClock

@testable import NotificationModel

@Suite struct QuietHoursDecisionTests {
  private func push(
    at time: String,
    _ policy: QuietHoursPolicy = .defer,
    on date: String = "2026-11-21",
    hours: (String, String) = ("22:00", "07:00")
  ) throws -> ChannelDecision? {
    let now = try DecisionSample.berlin(date, time)
    return try DecisionSample.input(DecisionSample.type { $0.quietHours = policy }, now: now) {
      $0.quietHours = try DecisionSample.hours(hours.0, hours.1)
    }.push
  }

  @Test func `quiet hours across midnight defer to the morning`() throws {
    let morning = try DecisionSample.berlin("2026-11-22", "07:00")
    #expect(try push(at: "23:30") == .hold(until: morning, .quietHours))
    #expect(try push(at: "03:00", on: "2026-11-22") == .hold(until: morning, .quietHours))
  }

  @Test func `the window is half-open`() throws {
    #expect(try push(at: "21:59:59") == .deliver)
    #expect(try push(at: "22:00") != .deliver)
    #expect(try push(at: "06:59:59") != .deliver)
    #expect(try push(at: "07:00") == .deliver)
    #expect(try push(at: "12:59:59", hours: ("09:00", "13:00")) != .deliver)
    #expect(try push(at: "13:00", hours: ("09:00", "13:00")) == .deliver)
  }

  @Test(arguments: [
    (QuietHoursPolicy.defer, ChannelDecision?.none), (.compose, nil), (.drop, .skip(.quietHours)), (.pierce, .deliver),
  ])
  func `each policy does its own`(policy: QuietHoursPolicy, expected: ChannelDecision?) throws {
    let held = ChannelDecision.hold(until: try DecisionSample.berlin("2026-11-22", "07:00"), .quietHours)
    #expect(try push(at: "23:00", policy) == expected ?? held)
    #expect(try push(at: "12:00", policy) == .deliver)
  }

  @Test func `quiet hours concern pushes alone`() throws {
    let input = try DecisionSample.input(DecisionSample.type { $0.quietHours = .drop }) {
      $0.quietHours = try DecisionSample.hours("11:00", "13:00")
    }
    #expect(input.decisions == [.deliver, .skip(.quietHours), .deliver])
  }

  @Test func `a pause is quiet hours begun by hand`() throws {
    let until = DecisionSample.noon + 600
    let expected: [(QuietHoursPolicy, ChannelDecision)] = [
      (.defer, .hold(until: until, .paused)), (.compose, .hold(until: until, .paused)), (.drop, .skip(.paused)),
      (.pierce, .deliver),
    ]
    for (policy, push) in expected {
      let type = try DecisionSample.type { $0.quietHours = policy }
      #expect(try DecisionSample.input(type) { $0.pausedUntil = until }.decisions == [.deliver, push, .deliver])
      #expect(try DecisionSample.input(type, now: until) { $0.pausedUntil = until }.push == .deliver)
    }
  }

  @Test func `a pause that ends within quiet hours is followed by them`() throws {
    let night = try DecisionSample.berlin("2026-11-21", "23:00")
    let state = DecisionState(occasion: .due(.paused))
    let input = try DecisionSample.input(DecisionSample.type(), now: night, state: state) {
      $0.pausedUntil = night
      $0.quietHours = try DecisionSample.hours("22:00", "07:00")
    }
    #expect(input.push == .hold(until: try DecisionSample.berlin("2026-11-22", "07:00"), .quietHours))
  }

  @Test func `what pierces passes pauses, quiet hours and throttles, but no choice of the user's`() throws {
    let goal = try #require(DecisionSample.goal)
    let type = try DecisionSample.type {
      $0.quietHours = .pierce
      $0.throttle = Throttle(atMost: 1, per: 60, key: nil, then: .drop)
    }
    let state = DecisionState(throttle: ThrottleUse(count: 5, freesAt: DecisionSample.noon + 30))
    func decide(_ change: (inout Recipient) -> Void = { _ in }) throws -> [ChannelDecision] {
      try DecisionSample.input(type, about: goal, state: state) {
        $0.pausedUntil = DecisionSample.noon + 600
        $0.quietHours = try DecisionSample.hours("11:00", "13:00")
        change(&$0)
      }.decisions
    }
    #expect(try decide() == [.deliver, .deliver, .deliver])
    #expect(try decide { $0.mutes = [goal: .distantFuture] } == [.deliver, .skip(.muted), .skip(.muted)])
    #expect(try decide { $0.typeChoices[.push] = false } == [.deliver, .skip(.preferenceOff), .deliver])
    #expect(try decide { $0.isEnabled = false } == Array(repeating: .skip(.notificationsOff), count: 3))
  }

  @Test func `ends are spread over a minute, and a user always has the same place`() throws {
    let end = try DecisionSample.berlin("2026-11-22", "07:00")
    let hours = try DecisionSample.hours("22:00", "07:00")
    let spread = DueSpread()
    var places = Set<Int>()
    for number in 0..<6_000 {
      // Ids that differ in their last bytes alone are spread as well.
      let text = "6f1c2b7e-3d4a-7e5f-8a9b-" + String(repeating: "0", count: 12 - String(number).count) + String(number)
      let user = try #require(UserID(text))
      let due = spread.end(of: end - 60..<end, hours: hours, user: user)
      #expect(due == spread.end(of: end - 3_600..<end, hours: hours, user: user))
      #expect(end <= due && due < end + 60)
      places.insert(Int(due.timeIntervalSince(end)))
    }
    #expect(places.count == 60)
    #expect(DueSpread(seconds: 0).delay(of: UserID(UUID())) == 0)
  }

  @Test func `where the next quiet hours begin before the spread is over, the end is not spread`() throws {
    let hours = try DecisionSample.hours("07:00:01", "07:00")
    let end = try DecisionSample.berlin("2026-11-22", "07:00")
    for _ in 0..<50 {
      let due = DueSpread().end(of: end - 60..<end, hours: hours, user: UserID(UUID()))
      #expect(hours.window(at: due) == nil)
    }
  }
}
