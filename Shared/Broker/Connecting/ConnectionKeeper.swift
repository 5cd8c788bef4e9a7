import Logging

/// Gives an owner a new connection whenever it has none, with growing pauses between attempts.
struct ConnectionKeeper: Sendable {
  let dialer: Dialer
  /// For the log, e.g. `publisher`.
  let role: String
  let logger: Logger

  /// A connection that lasted this long was a good one: the next attempt comes quickly again.
  private static let goodAge: Duration = .seconds(5)

  /// Returns once the owner is closed or the task cancelled.
  func keep(_ owner: some LinkOwner) async {
    var backoff = ReconnectBackoff()
    while !Task.isCancelled {
      do throws(BrokerError) {
        let link = try await dialer.dial()
        let host = link.host
        let start = ContinuousClock.now
        await owner.attach(link)
        logger.info("broker \(role) connected", metadata: ["host": "\(host)"])
        guard let error = await owner.untilDetached() else { return }
        log(error, "broker \(role) lost its connection")
        if start.duration(to: .now) > Self.goodAge { backoff.reset() }
      } catch {
        log(error, "broker \(role) can't connect")
      }
      do { try await Task.sleep(for: backoff.next()) } catch { return }
    }
  }

  private func log(_ error: BrokerError, _ event: String) {
    logger.log(
      level: error.isTransient ? .warning : .error,
      "\(event), will try again",
      metadata: ["error": "\(error)"]
    )
  }
}
