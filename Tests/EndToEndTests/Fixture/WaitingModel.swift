import Foundation
import TestSupport

/// Makes a ``WaitingLoad``'s work by a seed, and notes what must come of it.
struct WaitingModel {
  let ids: [UUID]
  var random: SplitMix64
  private(set) var expected: [UUID: [String: Int]] = [:]
  private var number = 0
  /// Of which meters something was read before.
  private var read: Set<Int> = []

  init(ids: [UUID], random: SplitMix64) {
    self.ids = ids
    self.random = random
  }

  mutating func round(_ round: Int) -> WaitingLoad.Round {
    var work = WaitingLoad.Round()
    for _ in 0..<6 { work.sends.append(send("ParcelMoved", .now, to: WaitingLoad.parcels, 15)) }
    for _ in 0..<24 {
      var data = ["thread": random.below(2) == 0 ? "a" : "b"]
      data["label"] = nextLabel()
      work.sends.append(send("CommentAdded", .now, to: WaitingLoad.readers, 12, data))
    }
    for _ in 0..<6 { work.sends.append(send("HouseNews", .now, to: WaitingLoad.sleepers, 15)) }
    for time in WaitingLoad.Send.Time.allCases where time != .now {
      for _ in 0..<4 { work.sends.append(send("ParcelMoved", time, to: WaitingLoad.parcels, 8)) }
    }
    work.sends.shuffle(using: &random)
    for owner in WaitingLoad.owners {
      for _ in 0..<2 { work.events.append(reading(owner)) }
      work.events += goal("g\(round)", of: owner)
    }
    work.events.shuffle(using: &random)
    for index in work.events.indices {
      // A process each: few.
      if index < 2 {
        work.events[index].reporting = .twiceOverAMQP
      } else if index % 3 == 0 {
        work.events[index].reporting = .twice
      }
    }
    return work
  }

  private mutating func send(
    _ type: String,
    _ time: WaitingLoad.Send.Time,
    to group: Range<Int>,
    _ count: Int,
    _ data: [String: String]? = nil
  ) -> WaitingLoad.Send {
    let data = data ?? ["label": nextLabel()]
    let people = Array(group.shuffled(using: &random).prefix(count))
    for person in people { expect(data["label"] ?? "", person) }
    return WaitingLoad.Send(type: type, time: time, people: people, data: data)
  }

  /// A crossing brings its own previous value, so each is evaluated by itself.
  private mutating func reading(_ owner: Int) -> WaitingLoad.Event {
    let (former, level) = (random.below(2) == 0 ? 15 : 5, random.below(2) == 0 ? 12 : 8)
    let label = nextLabel()
    if former >= 10, level < 10 { expect("low \(label)", owner) }
    if read.insert(owner).inserted { expect("first main", owner) }
    let payload =
      #"{"userId":"\#(id(owner))","meter":"main","number":"\#(label)","former":\#(former),"level":\#(level)}"#
    return WaitingLoad.Event(name: "MeterRead", payload: payload, reporting: .once)
  }

  /// Two reports between the same two milestones: whichever comes first reaches the lower one.
  private mutating func goal(_ goal: String, of owner: Int) -> [WaitingLoad.Event] {
    let reached = 25 * (1 + random.below(4))
    expect("reached \(goal) \(reached)", owner)
    return (0..<2).map { _ in
      let percent = reached + random.below(25)
      let payload = #"{"userId":"\#(id(owner))","goal":"\#(goal)","percent":\#(percent)}"#
      return WaitingLoad.Event(name: "GoalMoved", payload: payload, reporting: .once)
    }
  }

  private func id(_ person: Int) -> String { ids[person].uuidString.lowercased() }

  private mutating func expect(_ label: String, _ person: Int) {
    expected[ids[person], default: [:]][label, default: 0] += 1
  }

  private mutating func nextLabel() -> String {
    number += 1
    return "n\(number)"
  }
}
