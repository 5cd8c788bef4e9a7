import Foundation
import Testing
import WallClock

@testable import NotificationModel

/// SplitMix64: the same cases in every run.
struct SampleDice: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var mixed = seed
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func choices() -> ChannelChoices {
    var choices = ChannelChoices()
    for channel in Channel.allCases where chance(50) { choices[channel] = chance(60) }
    return choices
  }
}

extension DecisionSample {
  private static let texts = try? LocalizedTemplate(title: "{{count}} deposits", body: "the last of {{amount}}")

  static func digest(every seconds: Int, on channel: Channel = .push) -> Digest? {
    texts.map { Digest(channel: channel, every: seconds, key: nil, texts: $0) }
  }

  /// Some time, some settings, some of everything that can stand in the way.
  static func random(_ dice: inout SampleDice) throws -> DecisionInput {
    let goal = try #require(goal)
    let now = noon + Double(Int.random(in: 0..<90_000, using: &dice))
    let reasons = HoldReason.allCases
    let type = try type {
      $0.quietHours = QuietHoursPolicy.allCases.randomElement(using: &dice) ?? .defer
      if dice.chance(40) {
        $0.throttle = Throttle(atMost: 2, per: 3_600, key: nil, then: dice.chance(50) ? .hold : .drop)
      }
      if dice.chance(40) { $0.digest = digest(every: 3_600, on: dice.chance(70) ? .push : .email) }
      if dice.chance(40) { $0.waits[dice.chance(50) ? .push : .email] = 900 }
    }
    let occasion = dice.chance(50) ? DecisionState.Occasion.first : .due(reasons.randomElement(using: &dice) ?? .paused)
    let state = DecisionState(
      occasion: occasion,
      inbox: dice.chance(80) ? .unread : dice.chance(50) ? .read : .deleted,
      throttle: dice.chance(50)
        ? ThrottleUse(count: Int.random(in: 0...3, using: &dice), freesAt: now + Double(dice.chance(80) ? 600 : -5))
        : nil,
      digest: dice.chance(30) ? DigestWindow(until: now + Double(dice.chance(70) ? 700 : -3)) : nil
    )
    let spread = dice.chance(50) ? 60 : 0
    return try input(
      type,
      requested: dice.chance(10) ? [.push] : nil,
      about: dice.chance(50) ? goal : nil,
      createdAt: now - Double(Int.random(in: 0..<1_800, using: &dice)),
      expiresAt: dice.chance(20) ? now + Double(Int.random(in: -100..<10_000, using: &dice)) : nil,
      sendAt: dice.chance(10) ? now + Double(Int.random(in: -100..<300, using: &dice)) : nil,
      isSilent: dice.chance(5),
      now: now,
      spread: spread,
      state: state
    ) {
      $0.isEnabled = dice.chance(95)
      $0.typeChoices = dice.choices()
      $0.categoryChoices = dice.choices()
      if dice.chance(10) { $0.devices = [] }
      if dice.chance(10) { $0.mutes = [goal: now + Double(dice.chance(50) ? 9 : -9)] }
      if dice.chance(10) { $0.viewing = [goal] }
      if dice.chance(20) { $0.pausedUntil = now + Double(Int.random(in: -100..<9_000, using: &dice)) }
      if dice.chance(80) { $0.quietHours = try hours("22:00", dice.chance(50) ? "07:00" : "21:59:50") }
    }
  }
}
