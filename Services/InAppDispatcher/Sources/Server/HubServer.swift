public import Authentication
public import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NotificationModel
public import NotificationQueue
public import NotificationStore
public import ServiceLifecycle
public import ServiceRuntime
import Synchronization

/// The hub of one node: listens, holds the connections on NIO's event loops and delivers events to them.
///
/// No task and no lock belongs to a connection; each lives on its event loop.
public final class HubServer: Service {
  /// TCP_USER_TIMEOUT (tcp(7)), in milliseconds: a client whose network is gone, and that never pinged, is noticed by the
  /// pings of the server.
  private static let userTimeout: CInt = 18

  private let configuration: HubServerConfiguration
  private let hub: HubContext
  private let http: HTTPContext
  private let group: MultiThreadedEventLoopGroup
  private let loops: [HubLoop]
  private let listener = Mutex<(any NIOCore.Channel)?>(nil)
  private let gate = DeliveryGate()
  private let logger: Logger

  /// - Parameters:
  ///   - identifiers: Who is who; nil where nobody goes by anything but a UUID.
  ///   - methods: What clients may call; nil: nothing.
  ///   - checks: What `/health/ready` looks at, besides the shutdown.
  public init(
    configuration: HubServerConfiguration,
    verifier: TokenVerifier,
    identifiers: UserIdentifierStore? = nil,
    methods: HubMethods? = nil,
    checks: HealthChecks = HealthChecks(),
    statistics: HubStatistics = HubStatistics(),
    logger: Logger
  ) {
    self.configuration = configuration
    self.logger = logger
    group = MultiThreadedEventLoopGroup(
      numberOfThreads: min(max(configuration.threads, 1), ConnectionDirectory.maximumLoops)
    )
    let directory = ConnectionDirectory(limits: configuration.limits)
    loops = group.makeIterator().enumerated().map { index, eventLoop in
      HubLoop(index: index, eventLoop: eventLoop, directory: directory)
    }
    hub = HubContext(
      configuration: configuration,
      verifier: verifier,
      identifiers: identifiers,
      directory: directory,
      loops: loops,
      methods: methods,
      statistics: statistics,
      logger: logger
    )
    http = HTTPContext(hub: hub, origins: OriginPolicy(allowed: configuration.allowedOrigins), checks: checks)
  }

  /// What happened since the start.
  public var statistics: HubStatistics { hub.statistics }

  var telemetry: HubTelemetry { hub.telemetry }

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
    let http = http
    // Made here once: when the clients of a restarted node came back all at once, the runtime of Swift 6.3 crashed now and
    // then with two event loops that made the types of their handlers at the same time.
    _ = ByteToMessageHandler(HTTPRequestDecoder())
    let channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 4_096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.tcpOption(.init(rawValue: Self.userTimeout)), value: 30_000)
      // Each channel keeps its receive buffer, by default 2 KiB: more than all the rest of an idle connection. Clients send
      // little: a request in two or three reads, then pings.
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 512))
      .childChannelOption(
        .writeBufferWaterMark,
        // A client that is so far behind is watched: how much more it may miss, and for how long.
        value: .init(low: 16 * 1_024, high: 64 * 1_024)
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
          try pipeline.addHandlers(HTTPServerPipelineHandler(), HTTPHandler(http, loop: loop))
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
    let directory = hub.directory
    for loop in loops {
      loop.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
        loop.registry.value.tick(at: .now(), requestTimeout: requestTimeout)
        if loop.index == 0 { directory.sweep(at: .now()) }
      }
    }
  }

  // MARK: Delivery

  /// Delivers the events of these messages, in order, to those who are connected here; returns when they are written.
  public func deliver(_ messages: [RealtimeMessage]) async throws {
    try await finish([begin(prepare(messages))])
  }

  /// Waits until what was begun is written.
  func finish(_ batches: [InFlightBatch]) async throws {
    var failure: (any Error)?
    for batch in batches {
      for loop in batch.loops {
        do {
          hub.statistics.count(.delivered, by: try await loop.get())
        } catch {
          failure = failure ?? error
        }
      }
      if batch.isBegun { gate.leave() }
    }
    if let failure { throw failure }
  }

  /// A batch that event loops write; whoever began it gives it to ``finish(_:)``.
  struct InFlightBatch {
    /// Whether it has entered the gate.
    fileprivate var isBegun = false
    /// For each event loop how many events it has written, counted once for each connection.
    fileprivate var loops: [EventLoopFuture<Int>] = []
  }

  /// Finds out who is to get the events of these messages, and puts them into bytes.
  func prepare(_ messages: [RealtimeMessage]) -> EventBatch {
    hub.statistics.count(.received, by: messages.count)
    var batch = EventBatch(loops: loops.count)
    let catalogue = hub.methods?.catalogue
    for message in messages {
      var encoder = RealtimeEncoder(contents: message.contents, catalogue: catalogue)
      // The changes first: the events say the count that they lead to.
      prepare(message.changes, of: \.userId, &batch) { change, forms in
        encoder.encode(change, for: forms)
      }
      prepare(message.events, of: \.userId, &batch) { event, forms in
        encoder.encode(event, for: forms)
      }
      for relay in message.relays {
        let recipients = hub.directory.recipients(of: relay.userIds)
        guard !recipients.isEmpty else { continue }
        batch.add(RealtimeEncoder.encode(relay, for: FormSet(recipients)), to: recipients)
      }
    }
    batch.sort()
    return batch
  }

  /// - Parameter encode: Nothing for what lacks something.
  private func prepare<Item>(
    _ all: [Item],
    of user: (Item) -> UserID,
    _ batch: inout EventBatch,
    encode: (Item, FormSet) -> [EncodedEvent]
  ) {
    guard !all.isEmpty else { return }
    var recipients = hub.directory.recipients(of: all.lazy.map(user))[...]
    for (number, item) in all.enumerated() {
      let own = recipients.prefix { $0.user == number }
      guard !own.isEmpty else { continue }
      recipients = recipients[own.endIndex...]
      let encoded = encode(item, FormSet(own))
      for event in encoded { batch.add(event, to: own) }
      if encoded.isEmpty {
        hub.statistics.count(.undecodable)
        logger.warning("dropped an event without its content")
      }
    }
  }

  /// Begins to deliver: the event loops write while the caller goes on. What is begun later comes later. After the drain
  /// there is nobody left to deliver to.
  func begin(_ batch: EventBatch) -> InFlightBatch {
    guard gate.enter() else { return InFlightBatch() }
    let busy = loops.filter { !batch.deliveries[$0.index].isEmpty }
    return InFlightBatch(isBegun: true, loops: busy.map { $0.deliver(batch) })
  }

  /// Asks all clients to reconnect, spread over the drain period: events were missed, which they get by `Resume`.
  public func sendEverybodyAway() {
    let period = TimeAmount(configuration.drainPeriod)
    for loop in loops {
      loop.eventLoop.execute { loop.registry.value.sendAway(over: period) }
    }
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
        loop.eventLoop.scheduleTask(in: patience) { loop.registry.value.abortAll() }
        return loop.eventLoop.flatSubmit { loop.registry.value.drain(over: period) }
      }
      for loop in drained { try await loop.get() }
      await gate.close()
      let ended = loops.map { loop in loop.eventLoop.flatSubmit { loop.registry.value.end() } }
      for loop in ended { try await loop.get() }
      try await group.shutdownGracefully()
    } catch {
      logger.warning("the shutdown was not clean", metadata: ["error": "\(error)"])
    }
  }
}
