import BelfryClient
import BelfryClientTesting
import Foundation

extension InMemoryServer {
  /// With notifications of ``numbered(_:)``, from 1 on.
  init(_ clock: TestClock, notifications count: Int = 0) {
    self.init((0..<count).map { numbered($0 + 1) }, clock: clock)
  }

  /// The next one of these.
  @discardableResult
  func notify() -> BelfryNotification {
    deliver(numbered(deliveredCount() + 1))
  }
}

/// The server has a method of that name.
private func numbered(_ number: Int) -> BelfryNotification { notification(number) }
