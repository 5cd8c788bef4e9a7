import Authentication
import Broker
import CatalogueVersions
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import ServiceRuntime
import TestSupport
import Testing

@testable import Gateway

/// The gateway's own router over a database of its own and a broker in memory.
///
/// Every answer that a test receives is held against openapi.yaml, so that the test fails whose answer is none of those described.
struct TestGateway: Sendable {
  let client: InProcessClient
  let database: PostgresClient
  let broker: InMemoryBroker
  let deadLetters: DeadLettersInMemory

  static let secret = "a secret of at least thirty-two bytes"
  static let receipts = ReceiptKeys(["a secret of receipts, thirty-two bytes"])
  static let unsubscribe = UnsubscribeKeys(["a secret of links, of more than thirty-two bytes"])
  static let catalogue = Result { try Catalogue() }

  /// - Parameters:
  ///   - userRate: Requests a second that a user may make; 0 is unlimited.
  ///   - edge: The other limits, and whose web pages may ask.
  ///   - clock: What time it is; the database has its own.
  ///   - catalogue: Nil is the built-in one.
  static func with(
    userRate: Int = 0,
    edge: EdgeConfiguration = EdgeConfiguration(),
    connections: Int = 2,
    vapidPublicKey: VAPIDPublicKey = .none,
    pushHosts: PushServiceHosts = .standard,
    allowsPrivateEndpoints: Bool = false,
    receipts: ReceiptKeys = receipts,
    unsubscribe: UnsubscribeKeys = unsubscribe,
    bounces: BounceDesk? = nil,
    clock: @escaping @Sendable () -> Date = { Date.now },
    personal: PersonalConfiguration = PersonalConfiguration(),
    catalogue: Catalogue? = nil,
    logger: Logger = .quiet,
    _ body: @escaping @Sendable (TestGateway) async throws -> Void
  ) async throws {
    try await TestDatabase.with(connections: connections) { database in
      try await with(
        database: database,
        userRate: userRate,
        edge: edge,
        isReady: true,
        vapidPublicKey: vapidPublicKey,
        pushHosts: pushHosts,
        allowsPrivateEndpoints: allowsPrivateEndpoints,
        receipts: receipts,
        unsubscribe: unsubscribe,
        bounces: bounces,
        clock: clock,
        personal: personal,
        catalogue: catalogue,
        logger: logger,
        body
      )
    }
  }

  /// Another gateway on the same database, with a broker of its own.
  ///
  /// - Parameters:
  ///   - uptime: By which it remembers API keys.
  ///   - catalogues: What it follows; nil is the built-in one.
  func beside(
    edge: EdgeConfiguration = EdgeConfiguration(),
    uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    catalogues: CatalogueInForce? = nil,
    _ body: @escaping @Sendable (TestGateway) async throws -> Void
  ) async throws {
    try await Self.with(
      database: database,
      userRate: 0,
      edge: edge,
      isReady: true,
      clock: { Date.now },
      uptime: uptime,
      catalogues: catalogues,
      logger: .quiet,
      body
    )
  }

  /// For what is refused before it comes to the database, and for what happens where that is away.
  static func withoutDatabase(
    userRate: Int = 0,
    edge: EdgeConfiguration = EdgeConfiguration(),
    isReady: Bool = true,
    catalogue: Catalogue? = nil,
    logger: Logger = .quiet,
    _ body: @escaping @Sendable (TestGateway) async throws -> Void
  ) async throws {
    let away = databaseAway()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await away.run() }
      try await with(
        database: away,
        userRate: userRate,
        edge: edge,
        isReady: isReady,
        clock: { Date.now },
        // So that a route refuses none but by who is asking.
        personal: PersonalConfiguration(allowsErasing: true),
        catalogue: catalogue,
        logger: logger,
        body
      )
      group.cancelAll()
    }
  }

  private static func with(
    database: PostgresClient,
    userRate: Int,
    edge: EdgeConfiguration = EdgeConfiguration(),
    isReady: Bool,
    vapidPublicKey: VAPIDPublicKey = .none,
    pushHosts: PushServiceHosts = .standard,
    allowsPrivateEndpoints: Bool = false,
    receipts: ReceiptKeys = receipts,
    unsubscribe: UnsubscribeKeys = unsubscribe,
    bounces: BounceDesk? = nil,
    clock: @escaping @Sendable () -> Date,
    personal: PersonalConfiguration = PersonalConfiguration(),
    catalogue: Catalogue? = nil,
    uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    catalogues: CatalogueInForce? = nil,
    logger: Logger,
    _ body: @escaping @Sendable (TestGateway) async throws -> Void
  ) async throws {
    var edge = edge
    if userRate > 0 { edge.userRate = userRate }
    let start = ContinuousClock.now
    // As if all happened at once: what is left depends on no machine's speed.
    let limits = RateLimits(edge, now: { start })
    let broker = InMemoryBroker()
    let deadLetters = DeadLettersInMemory()
    for key in [Topology.requestKey, Topology.eventKey] {
      broker.bind(Topology.ingestQueue, to: Topology.ingestExchange, key: key)
    }
    for shard in Shard.all { broker.bind("realtime", to: Topology.realtimeExchange, key: shard.routingKey) }
    var checks = HealthChecks()
    checks.add("database") { isReady }
    let responder = Gateway.responder(
      try parts(
        database: database,
        broker: broker,
        deadLetters: deadLetters,
        checks: checks,
        vapidPublicKey: vapidPublicKey,
        pushHosts: pushHosts,
        allowsPrivateEndpoints: allowsPrivateEndpoints,
        receipts: receipts,
        unsubscribe: unsubscribe,
        bounces: bounces,
        receiptLimit: limits.receipts,
        unsubscribeLimit: limits.unsubscribes,
        clock: clock,
        personal: personal,
        catalogue: catalogue,
        catalogues: catalogues,
        logger: logger
      ),
      authentication: AuthenticationMiddleware(
        verifier: try TokenVerifier(configuration: TokenVerifierConfiguration(sharedSecret: secret)),
        keys: APIKeyVerifier(store: APIKeyStore(client: database), now: uptime, clock: clock, logger: logger),
        limits: limits,
        identities: UserIdentities(store: UserIdentifierStore(client: database, logger: logger), clock: clock)
      ),
      origins: edge.allowedOrigins
    )
    // It takes a second, once: before the test begins, whose limits would run out meanwhile.
    try await DescriptionJudge.shared.prepare()
    let client = InProcessClient(responder, logger: logger)
    try await body(TestGateway(client: client, database: database, broker: broker, deadLetters: deadLetters))
  }

  /// The gateway's own table of routes.
  ///
  /// - Parameter catalogue: Nil is the built-in one.
  static func routes(_ catalogue: Catalogue? = nil) throws -> [Route] { Gateway.routes(try dependencies(catalogue)) }

  /// What its controllers are made of, without a database.
  ///
  /// - Parameter catalogue: Nil is the built-in one.
  static func dependencies(_ catalogue: Catalogue? = nil) throws -> GatewayDependencies {
    try parts(database: databaseAway(), broker: InMemoryBroker(), checks: HealthChecks(), catalogue: catalogue)
  }

  private static func parts(
    database: PostgresClient,
    broker: InMemoryBroker,
    deadLetters: DeadLettersInMemory = DeadLettersInMemory(),
    checks: HealthChecks,
    vapidPublicKey: VAPIDPublicKey = .none,
    pushHosts: PushServiceHosts = .standard,
    allowsPrivateEndpoints: Bool = false,
    receipts: ReceiptKeys = receipts,
    unsubscribe: UnsubscribeKeys = unsubscribe,
    bounces: BounceDesk? = nil,
    receiptLimit: RateLimiter? = nil,
    unsubscribeLimit: AddressLimiter? = nil,
    clock: @escaping @Sendable () -> Date = { Date.now },
    personal: PersonalConfiguration = PersonalConfiguration(),
    catalogue: Catalogue? = nil,
    catalogues: CatalogueInForce? = nil,
    logger: Logger = .quiet
  ) throws -> GatewayDependencies {
    GatewayDependencies(
      catalogues: try catalogues ?? CatalogueInForce(catalogue ?? Self.catalogue.get()),
      database: database,
      publisher: broker,
      deadLetters: deadLetters,
      checks: checks,
      vapidPublicKey: vapidPublicKey,
      pushHosts: pushHosts,
      allowsPrivateEndpoints: allowsPrivateEndpoints,
      receipts: receipts,
      receiptLimit: receiptLimit,
      unsubscribe: unsubscribe,
      unsubscribeLimit: unsubscribeLimit,
      bounces: bounces,
      clock: clock,
      personal: personal,
      logger: logger
    )
  }

  private static func databaseAway() -> PostgresClient {
    let nowhere = "postgresql://nobody@127.0.0.1:1/none"
    let configuration = PostgresConfiguration(url: nowhere, connections: 1, connectTimeout: .milliseconds(50))
    return PostgresClient(configuration: configuration, logger: .quiet)
  }

  func call(
    _ method: HTTPRequest.Method,
    _ path: String,
    as caller: Caller? = nil,
    headers: HTTPFields = [:],
    body: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Answer {
    var headers = headers
    for field in caller?.headers ?? [:] { headers[field.name] = field.value }
    if body != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
    let answer = try await client.execute(
      uri: path,
      method: method,
      headers: headers,
      body: body.map { ByteBuffer(string: $0) }
    )
    let exchange = DescriptionJudge.Exchange(
      method: method.rawValue,
      path: path,
      status: answer.status.code,
      headers: answer.headers.map { ($0.name.rawName, $0.value) },
      body: answer.body
    )
    for objection in try await DescriptionJudge.shared.objections(to: exchange) {
      Issue.record("openapi.yaml: \(objection)", sourceLocation: sourceLocation)
    }
    return answer
  }

  /// What the gateway has handed to the routers.
  var ingested: [BrokerMessage] { broker.messages(in: Topology.ingestQueue) }

  /// What is published to open connections, event by event.
  func published() throws -> [RealtimeMessage.Event] {
    try broker.messages(in: "realtime").flatMap { try QueueCoder.decode(RealtimeMessage.self, from: $0).events }
  }

  /// Stores notifications of a user, the oldest first.
  @discardableResult
  func store(_ count: Int, for user: UserID, type: Int = 10, adjust: (inout NotificationContent) -> Void = { _ in })
    async throws -> [NotificationID]
  {
    let type = try #require(try Self.catalogue.get().type(.code(type)))
    var contents: [NotificationContent] = []
    var notifications: [NewNotification] = []
    for index in 0..<count {
      let now = Date.now - Double(count - index)
      var content = NotificationContent(
        type: type,
        text: type.template.render(title: "Number \(index + 1)", body: "Body", data: [:]),
        data: ["amount": "$10.00"],
        relatedEntityType: "Transaction",
        relatedEntityId: "7",
        collapseKey: nil,
        createdAt: now,
        expiresAt: now + 86_400
      )
      adjust(&content)
      contents.append(content)
      let request = RequestID(now: now)
      notifications.append(
        NewNotification(
          id: NotificationID(request: request, recipient: user),
          userID: user,
          requestID: request,
          content: index,
          plan: PerChannel(inApp: .deliver, push: .skip(.preferenceOff), email: .skip(.preferenceOff))
        )
      )
    }
    _ = try await NotificationStore(client: database).store(notifications, contents: contents)
    return notifications.map(\.id)
  }
}
