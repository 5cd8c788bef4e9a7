import Synchronization

/// The faults in force. The oldest match wins, those for one target before general ones; latencies add up.
final class FaultList: Sendable {
  static let maximumCount = 100_000

  private struct State {
    var faults: [Int: Fault] = [:]
    /// Ids by target, and of those without a target, oldest first.
    var targeted: [String: [Int]] = [:]
    var general: [Int] = []
    var lastID = 0
  }

  private let state = Mutex(State())
  private let random: @Sendable () -> Double

  /// - Parameter random: Answers numbers from 0 up to 1; tests give their own.
  init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
    self.random = random
  }

  /// Adds a fault and answers it with its id; nil if there are too many.
  func add(_ match: Fault.Match, _ effect: FaultEffect, times: Int?) -> Fault? {
    state.withLock { state in
      guard state.faults.count < Self.maximumCount else { return nil }
      state.lastID += 1
      let fault = Fault(id: state.lastID, match: match, effect: effect, remaining: times)
      state.faults[fault.id] = fault
      if let target = match.target {
        state.targeted[target, default: []].append(fault.id)
      } else {
        state.general.append(fault.id)
      }
      return fault
    }
  }

  func all() -> [Fault] {
    state.withLock { $0.faults.values.sorted { $0.id < $1.id } }
  }

  /// Answers false if there is no such fault.
  func remove(_ id: Int) -> Bool {
    state.withLock { state in
      guard let fault = state.faults.removeValue(forKey: id) else { return false }
      if let target = fault.match.target {
        state.targeted[target]?.removeAll { $0 == id }
        if state.targeted[target]?.isEmpty == true { state.targeted[target] = nil }
      } else {
        state.general.removeAll { $0 == id }
      }
      return true
    }
  }

  func removeAll() {
    state.withLock { state in
      let lastID = state.lastID
      state = State(lastID: lastID)
    }
  }

  /// What is to happen to a request now; a hit uses up one of a fault's times.
  func decide(_ channel: Fault.Channel, target: String, stage: FaultEffect.Stage = .recipient) -> FaultDecision {
    state.withLock { state in
      if state.faults.isEmpty { return .none }
      var decision = FaultDecision.none
      for id in (state.targeted[target] ?? []) + state.general {
        guard let fault = state.faults[id], fault.match.channel == channel, fault.remaining != 0,
          channel != .email || fault.effect.stage == stage
        else { continue }
        if let share = fault.match.share, random() >= share { continue }
        state.faults[id]?.hits += 1
        if let remaining = fault.remaining { state.faults[id]?.remaining = remaining - 1 }
        decision.delay += .milliseconds(fault.effect.milliseconds ?? 0)
        if fault.effect.kind == .latency { continue }
        decision.effect = fault.effect
        return decision
      }
      return decision
    }
  }
}
