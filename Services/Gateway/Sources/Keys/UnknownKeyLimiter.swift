/// Who may look up a key that has not been valid before: a few at a time, however many are invented, from however many addresses.
struct UnknownKeyLimiter {
  /// Lookups at the same time: less than the connections to the database.
  static let atOnce = 2
  /// With those that wait for their turn. After a restart every key is new.
  static let maximum = 102
  /// Whose turn comes later is told to try again: a database that stands still would keep them all.
  static let patience: Duration = .seconds(5)

  private var count = 0
  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  var hasRoom: Bool { count < Self.maximum }

  mutating func come() { count += 1 }

  /// Whether a lookup may run now; else `continuation` is resumed when it may.
  mutating func begins(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard running < Self.atOnce else {
      waiting.append(continuation)
      return false
    }
    running += 1
    return true
  }

  /// - Returns: Whose turn it is; nil if nobody waits.
  mutating func leave() -> CheckedContinuation<Void, Never>? {
    count -= 1
    guard waiting.isEmpty else { return waiting.removeFirst() }
    running -= 1
    return nil
  }
}
