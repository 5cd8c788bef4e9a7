import Synchronization

/// Counts of what happened since the start.
public final class HubStatistics: Sendable {
  public enum Event: Int, CaseIterable, Sendable {
    /// Hub connections whose handshake succeeded.
    case established
    /// Requests without a valid token.
    case unauthorized
    /// Upgrades refused for another reason.
    case refused
    /// Clients dropped because they did not read.
    case slow
    /// Connections ended for a violation of the protocol or a timeout.
    case failed
    /// Events written to connections, counted once for each connection.
    case delivered
    /// Broker messages that could not be decoded.
    case undecodable
  }

  private let counts = Mutex([Int](repeating: 0, count: Event.allCases.count))

  public init() {}

  func count(_ event: Event, by amount: Int = 1) {
    counts.withLock { $0[event.rawValue] += amount }
  }

  public subscript(event: Event) -> Int { counts.withLock { $0[event.rawValue] } }
}
