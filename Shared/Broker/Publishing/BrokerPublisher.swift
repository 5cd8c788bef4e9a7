public import Logging
public import ServiceLifecycle
import Synchronization

/// Publishes with confirms over one connection, shared by any number of callers.
///
/// `run` keeps the connection; without it nothing is sent. After a loss it reconnects by itself, to any of the hosts,
/// and declares the topology anew; it never sends a message twice.
public final class BrokerPublisher: Service, Sendable {
  private let core: PublisherCore
  private let keeper: ConnectionKeeper
  private let configuration: BrokerConfiguration
  private let identifiers = Atomic<UInt64>(0)
  private let telemetry = PublisherTelemetry()

  /// - Parameters:
  ///   - topology: Declared at every connect.
  ///   - maximumUnconfirmed: Messages on their way at a time. Further callers wait, up to four times as many; above
  ///     that a publish fails with `overloaded`. Hundreds give the best rate: the broker's disk syncs them together.
  public init(
    configuration: BrokerConfiguration,
    topology: BrokerTopology = .none,
    maximumUnconfirmed: Int = 1_000,
    logger: Logger
  ) {
    self.configuration = configuration
    core = PublisherCore(configuration: configuration, maximumUnconfirmed: maximumUnconfirmed, logger: logger)
    keeper = ConnectionKeeper(
      dialer: Dialer(configuration: configuration, topology: topology, purpose: .publish),
      role: "publisher",
      logger: logger
    )
  }

  /// Keeps the connection until graceful shutdown or cancellation; then waits for outstanding confirms, at most
  /// `drainTimeout`, and closes. To be called once.
  public func run() async throws {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.keeper.keep(self.core) }
      do {
        try await gracefulShutdown()
      } catch {
        // Cancelled: the same end.
      }
      await core.drain(for: configuration.drainTimeout)
      await core.close()
      group.cancelAll()
    }
  }

  /// Returns once the broker has confirmed that the message is stored in every queue it belongs to.
  ///
  /// Without a connection it waits at most `availabilityTimeout` for one. With `mandatory`, a message that reaches no
  /// queue is an error (``BrokerError/Code/unroutable``) instead of a silent loss. A cancelled caller returns at once;
  /// its message may be stored all the same.
  public func publish(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool
  ) async throws(BrokerError) {
    try await telemetry.observe(message, exchange: exchange, routingKey: routingKey) {
      (message) async throws(BrokerError) in
      try await send(message, exchange: exchange, routingKey: routingKey, mandatory: mandatory)
    }
  }

  private func send(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool
  ) async throws(BrokerError) {
    try message.validate(
      exchange: exchange,
      routingKey: routingKey,
      maximumMessage: configuration.maximumMessage,
      maximumFrame: configuration.maximumFrame
    )
    let id = identifiers.wrappingAdd(1, ordering: .relaxed).newValue
    let error = await core.publish(
      message,
      exchange: exchange,
      routingKey: routingKey,
      mandatory: mandatory,
      id: id
    )
    if let error { throw error }
  }

  /// What the connection can do at the moment.
  public var state: BrokerState { core.state.withLock(\.self) }
}
