import Foundation

@testable import Router

/// A test's time, which is compared with no database's.
struct UncheckedClock: WorkClock {
  let time: @Sendable () -> Date

  init(_ time: @escaping @Sendable () -> Date) {
    self.time = time
  }

  func checkedNow() -> Date { time() }
  func lastCheckedNow() -> Date { time() }
  var uncheckedNow: Date { time() }
}
