public import Foundation
public import Logging
import Retrying
public import ServiceLifecycle
import Synchronization

/// Compares this machine's clock with the database's, which all services share, and tells the time by it. A wrong clock dates nothing
/// wrongly, and beyond a limit nothing is done by it. The log has each change once, readiness as long as it is beyond the
/// limit.
///
/// A service that asks the database by itself, with ``check()``, need not run it.
public final class ClockWatch: Service {
  private enum Verdict: Equatable {
    case agreed, warned, refused
  }

  /// Beyond that many seconds the log says so.
  public static let warning: TimeInterval = 60
  /// Beyond that many nothing is done by this clock.
  public static let limit: TimeInterval = 300
  /// Between two looks of a service that does not ask by itself.
  private static let interval = Duration.seconds(5)

  private let clock: @Sendable () -> Date
  private let databaseTime: @Sendable () async throws -> Date?
  private let consequence: String
  private let logger: Logger
  private let last = Mutex<(verdict: Verdict, seconds: TimeInterval)>((.agreed, 0))

  /// - Parameters:
  ///   - clock: This machine's.
  ///   - consequence: What the log says if the clocks differ too much.
  ///   - databaseTime: Nil if it does not say.
  public init(
    clock: @escaping @Sendable () -> Date,
    consequence: String,
    logger: Logger,
    databaseTime: @escaping @Sendable () async throws -> Date?
  ) {
    self.clock = clock
    self.consequence = consequence
    self.logger = logger
    self.databaseTime = databaseTime
  }

  /// What stands in the way, for readiness; nil if nothing does.
  public var problem: String? { last.withLock { $0.verdict == .refused ? "clock" : nil } }

  /// What time it is for the database, as far as is known: by this machine's clock, less what it is ahead.
  public var now: Date { clock() - last.withLock(\.seconds) }

  /// Asks the database.
  ///
  /// - Throws: ``ClockDisagreement`` if the clocks differ too much; whatever the database fails with.
  public func check() async throws {
    let before = clock()
    guard let other = try await databaseTime() else { return }
    // However long the answer took, it was given in between. What is known already holds as long as that allows it.
    let (least, most) = (before.timeIntervalSince(other), clock().timeIntervalSince(other))
    note { min(max($0, least), most) }
    try ensure()
  }

  /// Asks nobody, but goes by the last answer.
  ///
  /// - Throws: ``ClockDisagreement``.
  public func ensure() throws(ClockDisagreement) {
    let (verdict, seconds) = last.withLock(\.self)
    if verdict == .refused { throw ClockDisagreement(seconds: seconds) }
  }

  /// Asks the database again and again, until the service stops.
  public func run() async throws {
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      do {
        try await check()
      } catch is ClockDisagreement {
        // Log and readiness have it.
      } catch  where error.isCancellation {
        return
      } catch {
        logger.debug("the database does not say what time it is", metadata: ["error": "\(error)"])
      }
      do {
        try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
      } catch {
        return  // the service stops
      }
    }
  }

  private func note(_ difference: (TimeInterval) -> TimeInterval) {
    let (verdict, former, seconds) = last.withLock { last in
      let seconds = difference(last.seconds)
      let verdict: Verdict =
        abs(seconds) > Self.limit ? .refused : abs(seconds) > Self.warning ? .warned : .agreed
      defer { last = (verdict, seconds) }
      return (verdict, last.verdict, seconds)
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
    case .refused: logger.error("\(consequence)", metadata: ["error": "\(disagreement)"])
    }
  }
}
