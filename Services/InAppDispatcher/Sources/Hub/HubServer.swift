public import Authentication
public import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
public import NotificationQueue
public import ServiceLifecycle
public import ServiceRuntime
import Synchronization

/// The hub of one node: listens, holds the connections on NIO's event loops and delivers events to them.
///
/// No task and no lock belongs to a connection; each lives on its event loop.
public final class HubServer: Service {
  private let configuration: HubServerConfiguration
  private let hub: HubContext
  private let group: MultiThreadedEventLoopGroup
  private let loops: [HubLoop]
  private let listener = Mutex<(any Channel)?>(nil)
  private let logger: Logger

  /// - Parameter checks: What `/health/ready` looks at, besides the shutdown.
  public init(
    configuration: HubServerConfiguration,
    verifier: TokenVerifier,
    checks: HealthChecks = HealthChecks(),
    logger: Logger
  ) {
    self.configuration = configuration
    self.logger = logger
    hub = HubContext(
      verifier: verifier,
      origins: OriginPolicy(allowed: configuration.allowedOrigins),
      limits: configuration.limits,
      timing: configuration.timing,
      checks: checks,
      logger: logger
    )
    group = MultiThreadedEventLoopGroup(
      numberOfThreads: min(max(configuration.threads, 1), ConnectionDirectory.maximumLoops)
    )
    let directory = hub.directory
    loops = group.makeIterator().enumerated().map { index, eventLoop in
      HubLoop(index: index, eventLoop: eventLoop, directory: directory)
    }
  }

  /// What happened since the start.
  public var statistics: HubStatistics { hub.statistics }

  /// Open hub connections.
  public var connectionCount: Int { hub.directory.connectionCount }

  /// Serves until a graceful shutdown or a cancellation, then sends everybody elsewhere.
  public func run() async throws {
    try await start()
    do {
      try await gracefulShutdown()
    } catch {
      logger.debug("cancelled")
    }
    await stop()
  }

  // MARK: Start

  /// Begins to listen and answers the port, which the system chooses for port 0.
  @discardableResult
  public func start() async throws -> Int {
    let contexts = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0.eventLoop), $0) })
    let hub = hub
    let channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 4_096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(
        .writeBufferWaterMark,
        value: .init(low: configuration.limits.maximumPendingBytes / 2, high: configuration.limits.maximumPendingBytes)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let loop = contexts[ObjectIdentifier(channel.eventLoop)] else {
            preconditionFailure("a channel outside its group")
          }
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandlers(HTTPResponseEncoder())
          try pipeline.addHandler(
            ByteToMessageHandler(
              HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes),
              maximumBufferSize: 128 * 1_024
            )
          )
          try pipeline.addHandlers(HTTPServerPipelineHandler(), HTTPHandler(hub: hub, registry: loop.registry.value))
        }
      }
      .bind(host: configuration.host, port: configuration.port).get()
    listener.withLock { $0 = channel }
    startTicking()
    let port = channel.localAddress?.port ?? configuration.port
    logger.info("listening", metadata: ["host": "\(configuration.host)", "port": "\(port)"])
    return port
  }

  private func startTicking() {
    let requestTimeout = TimeAmount(configuration.limits.requestTimeout)
    let interval = TimeAmount(configuration.tickInterval)
    for loop in loops {
      loop.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
        loop.registry.value.tick(at: .now(), requestTimeout: requestTimeout)
      }
    }
  }

  // MARK: Delivery

  /// Delivers the events of these messages, in order, to those who are connected here; returns when they are written.
  public func deliver(_ messages: [RealtimeMessage]) async throws {
    var frames = Array(repeating: [UserFrame](), count: loops.count)
    for message in messages {
      var encoder = RealtimeEncoder(contents: message.contents)
      let masks = hub.directory.loops(of: message.events.lazy.map(\.userId))
      for (event, mask) in zip(message.events, masks) where mask != 0 {
        guard let frame = encoder.frame(for: event) else {
          hub.statistics.count(.undecodable)
          logger.warning("dropped an event without its content", metadata: ["kind": "\(event.kind.rawValue)"])
          continue
        }
        for loop in loops.indices where mask & 1 << UInt64(loop) != 0 {
          frames[loop].append(UserFrame(user: event.userId, frame: frame))
        }
      }
    }
    let deliveries = zip(loops, frames).filter { !$1.isEmpty }.map { $0.deliver($1) }
    for delivery in deliveries { hub.statistics.count(.delivered, by: try await delivery.get()) }
  }

  // MARK: Stop

  /// Stops listening, asks all clients to reconnect, spread over the drain period, and ends what is left.
  ///
  /// To be called once after ``start()``; another call returns at once.
  public func stop() async {
    hub.startDraining()
    let channel = listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    guard let channel else { return }
    do {
      try await channel.close()
      let period = TimeAmount(configuration.drainPeriod)
      let patience = TimeAmount(configuration.drainPeriod + configuration.limits.closeTimeout)
      let drained = loops.map { loop in
        loop.eventLoop.scheduleTask(in: patience) { loop.registry.value.closeAll() }
        return loop.eventLoop.flatSubmit { loop.registry.value.drain(over: period, on: loop.eventLoop) }
      }
      for loop in drained { try await loop.get() }
      try await group.shutdownGracefully()
    } catch {
      logger.warning("the shutdown was not clean", metadata: ["error": "\(error)"])
    }
  }
}
