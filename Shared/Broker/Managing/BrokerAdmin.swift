public import Logging

/// Looks at queues and mends them, for operators and tests: each call makes a connection and closes it.
public struct BrokerAdmin: Sendable {
  private let configuration: BrokerConfiguration
  private let logger: Logger

  public init(configuration: BrokerConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
  }

  /// Messages ready in the queue.
  public func depth(of queue: String) async throws(BrokerError) -> Int {
    try await status(of: queue).ready
  }

  /// Messages ready in the queue and its consumers; an unknown queue is ``BrokerError/Code/notFound``.
  public func status(of queue: String) async throws(BrokerError) -> BrokerQueueStatus {
    let session = try await open()
    let result = await session.perform { link throws(BrokerError) in try link.inspect(queue: queue) }
    await session.close()
    return try result.get()
  }

  /// Messages ready in each of the queues, looked at over one connection; an unknown queue is ``BrokerError/Code/notFound``.
  public func depths(of queues: [String]) async throws(BrokerError) -> [String: Int] {
    let session = try await open()
    var depths: [String: Int] = [:]
    for queue in queues {
      switch await session.perform({ link throws(BrokerError) in try link.inspect(queue: queue) }) {
      case .success(let status): depths[queue] = status.ready
      case .failure(let error):
        await session.close()
        throw error
      }
    }
    await session.close()
    return depths
  }

  /// Makes sure that all of it exists.
  public func declare(_ topology: BrokerTopology) async throws(BrokerError) {
    let session = try await open(topology)
    await session.close()
  }

  /// Drops every ready message; returns how many those were.
  @discardableResult
  public func purge(_ queue: String) async throws(BrokerError) -> Int {
    let session = try await open()
    let result = await session.perform { link throws(BrokerError) in try link.purge(queue: queue) }
    await session.close()
    return try result.get()
  }

  /// Deletes the queue and what is in it. A queue that doesn't exist is fine.
  public func delete(_ queue: String) async throws(BrokerError) {
    let session = try await open()
    let result = await session.perform { link throws(BrokerError) in try link.delete(queue: queue) }
    await session.close()
    try result.get()
  }

  /// Runs `body` with a hand in the queue: it takes messages, oldest first, as many as it likes.
  ///
  /// Each may be acknowledged (which removes it) or requeued; whatever is neither goes back to the queue at the end. A
  /// quorum queue counts each of these as a delivery, and drops or dead-letters what was delivered too often: where nobody
  /// set `x-delivery-limit`, RabbitMQ 4 drops after 20. What was acknowledged is gone when this returns.
  public func withMessages<Result>(
    queue: String,
    _ body: (BrokerFetch) async throws -> Result
  ) async throws -> Result {
    let session = try await open()
    let outcome: Swift.Result<Result, any Error>
    do {
      outcome = .success(try await body(BrokerFetch(queue: queue, session: session)))
    } catch {
      outcome = .failure(error)
    }
    do throws(BrokerError) {
      try await session.settle(queue)
    } catch {
      await session.close()
      _ = try outcome.get()
      throw error
    }
    await session.close()
    return try outcome.get()
  }

  private func open(_ topology: BrokerTopology = .none) async throws(BrokerError) -> AdminSession {
    let session = AdminSession()
    let dialer = Dialer(configuration: configuration, topology: topology, purpose: .manage)
    await session.attach(try await dialer.dial())
    return session
  }
}
