import Metrics
public import SignalRProtocol
import Synchronization

/// Counts of what happened since the start: for `/metrics`, and for whatever metrics backend the process has.
///
/// Both use the names of ``Event/metric``. Takes a lock, so what happens often is counted by the batch.
public final class HubStatistics: Sendable {
  /// Why a connection ended, as counted by `/metrics`.
  public enum EndReason: String, CaseIterable, Sendable {
    case byClient
    case handshakeTimeout
    case handshakeRefused
    case clientTimeout
    case protocolError
    case sentAway
    case tokenExpired
    case tooManyMessages
    /// The client did not read what was sent.
    case slow
    /// A stateful connection whose client did not come back in time.
    case notReattached
  }

  public enum Event: Hashable, Sendable {
    case opened(HubTransport)
    /// Handshakes that succeeded.
    case established
    /// WebSockets that took up a stateful connection.
    case reattached
    case ended(EndReason)
    /// Requests without a valid token.
    case unauthorized
    /// Requests on the hub refused for another reason.
    case refused
    /// Realtime messages that the broker brought and that could be read.
    case received
    /// Events written to connections, counted once for each connection.
    case delivered
    /// Notifications read from the database for a client that had missed them.
    case replayed
    /// Broker messages and events that could not be used.
    case undecodable
    /// Methods called by clients, and those of them that failed.
    case called
    case callFailed
  }

  private let counts = Mutex<[Event: Int]>([:])
  /// Empty without a backend.
  private let counters: [Event: Counter]

  public init() {
    let factory = MetricsSystem.factory
    guard !(factory is NOOPMetricsHandler) else {
      counters = [:]
      return
    }
    counters = Dictionary(
      uniqueKeysWithValues: Event.all.map { event in
        let metric = event.metric
        let dimensions = metric.dimension.map { [$0] } ?? []
        return (event, Counter(label: metric.name, dimensions: dimensions, factory: factory))
      }
    )
  }

  func count(_ event: Event, by amount: Int = 1) {
    counts.withLock { $0[event, default: 0] += amount }
    counters[event]?.increment(by: amount)
  }

  public subscript(event: Event) -> Int { counts.withLock { $0[event] ?? 0 } }
}
