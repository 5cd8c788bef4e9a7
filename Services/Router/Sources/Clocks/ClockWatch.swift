import Foundation
import Logging
import Synchronization

/// Compares this machine's clock with the database's, so that a wrong one tells nothing too early and gives nothing up as too
/// late. The log is told of each change once, readiness as long as nothing may be claimed.
final class ClockWatch: Sendable {
  private enum Verdict: Equatable {
    case agreed, warned, refused
  }

  /// Beyond that many seconds the log says so.
  static let warning: TimeInterval = 60
  /// Beyond that many nothing that is due is claimed.
  static let limit: TimeInterval = 300

  private let clock: @Sendable () -> Date
  private let databaseTime: @Sendable () async throws -> Date?
  private let logger: Logger
  private let last = Mutex<(verdict: Verdict, seconds: TimeInterval)>((.agreed, 0))

  /// - Parameter databaseTime: Nil if it does not say.
  init(
    clock: @escaping @Sendable () -> Date,
    logger: Logger,
    databaseTime: @escaping @Sendable () async throws -> Date?
  ) {
    self.clock = clock
    self.logger = logger
    self.databaseTime = databaseTime
  }

  /// What stands in the way, for readiness; nil if nothing does.
  var problem: String? { last.withLock { $0.verdict == .refused ? "clock" : nil } }

  /// Asks the database.
  ///
  /// - Throws: ``ClockDisagreement`` if the clocks differ too much; whatever the database fails with.
  func check() async throws {
    let before = clock()
    guard let other = try await databaseTime() else { return }
    // However long the answer took, it was given in between.
    let seconds = other < before ? before.timeIntervalSince(other) : min(0, clock().timeIntervalSince(other))
    note(seconds)
    try ensure()
  }

  /// Asks nobody, but goes by the last answer.
  ///
  /// - Throws: ``ClockDisagreement``.
  func ensure() throws(ClockDisagreement) {
    let (verdict, seconds) = last.withLock(\.self)
    if verdict == .refused { throw ClockDisagreement(seconds: seconds) }
  }

  private func note(_ seconds: TimeInterval) {
    let verdict: Verdict =
      abs(seconds) > Self.limit ? .refused : abs(seconds) > Self.warning ? .warned : .agreed
    let former = last.withLock { last in
      defer { last = (verdict, seconds) }
      return last.verdict
    }
    guard verdict != former else { return }
    let disagreement = ClockDisagreement(seconds: seconds)
    switch verdict {
    case .agreed: logger.notice("this machine's clock agrees with the database's again")
    case .warned:
      logger.warning(
        "this machine's clock and the database's differ; set both by NTP",
        metadata: ["difference": "\(disagreement.difference)"]
      )
    case .refused:
      logger.error("work waits until the clocks agree; nothing is lost", metadata: ["error": "\(disagreement)"])
    }
  }
}
