import Foundation
import ServiceRuntime

/// What time it is, for work that is begun only by a clock which agrees with the database's.
protocol WorkClock: Sendable {
  /// Asks the database first: for those who claim what is due.
  ///
  /// - Throws: ``ClockDisagreement`` if the clocks differ too much; whatever the database fails with.
  func checkedNow() async throws -> Date

  /// Asks nobody, but goes by the last answer.
  ///
  /// - Throws: ``ClockDisagreement``.
  func lastCheckedNow() throws -> Date

  /// Whatever the last answer was: for work that has begun.
  var uncheckedNow: Date { get }
}

extension ClockWatch: WorkClock {
  func checkedNow() async throws -> Date {
    try await check()
    return now
  }

  func lastCheckedNow() throws -> Date {
    try ensure()
    return now
  }

  var uncheckedNow: Date { now }
}
