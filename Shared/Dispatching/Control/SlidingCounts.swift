/// Two counts of what happened within the last so many seconds, in slots of a fixed number: old ones are forgotten as a whole.
struct SlidingCounts {
  private struct Slot {
    var number: Int64
    var all = 0
    var marked = 0
  }

  private static let slots = 12

  private let start: ContinuousClock.Instant
  private let width: Duration
  private var slots: [Slot] = []
  /// What happened in the window, and what of it was marked.
  private(set) var all = 0
  private(set) var marked = 0

  init(window: Duration, now: ContinuousClock.Instant) {
    start = now
    width = window / Self.slots
  }

  mutating func add(isMarked: Bool, at now: ContinuousClock.Instant) {
    let number = number(at: now)
    forget(before: number)
    if slots.last?.number != number { slots.append(Slot(number: number)) }
    let last = slots.count - 1
    slots[last].all += 1
    all += 1
    guard isMarked else { return }
    slots[last].marked += 1
    marked += 1
  }

  /// Takes back what was added a moment ago. What is forgotten meanwhile stays so.
  mutating func remove(isMarked: Bool) {
    guard let last = slots.indices.last, slots[last].all > 0, !isMarked || slots[last].marked > 0 else { return }
    slots[last].all -= 1
    all -= 1
    guard isMarked else { return }
    slots[last].marked -= 1
    marked -= 1
  }

  /// Forgets what is older than the window.
  mutating func forget(before now: ContinuousClock.Instant) {
    forget(before: number(at: now))
  }

  /// - Parameter number: The present slot's.
  private mutating func forget(before number: Int64) {
    let oldest = number - Int64(Self.slots) + 1
    while let first = slots.first, first.number < oldest {
      all -= first.all
      marked -= first.marked
      slots.removeFirst()
    }
  }

  private func number(at now: ContinuousClock.Instant) -> Int64 {
    max(Int64((now - start) / width), slots.last?.number ?? 0)
  }
}
