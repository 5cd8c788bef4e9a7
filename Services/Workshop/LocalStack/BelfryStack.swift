public import Logging

/// Everything that Belfry needs and is, as child processes on 127.0.0.1: PostgreSQL, RabbitMQ, the provider simulator and the
/// five services in any number of copies.
///
/// `belfry-dev run` runs it for people; end-to-end tests and benchmarks use the same to kill and restart its parts.
public final class BelfryStack: Sendable {
  public let configuration: BelfryStackConfiguration
  public let postgres: PostgresServer
  public let rabbitmq: RabbitMQServer
  /// Stands in for FCM and the mail server; `simulator.url` is its control API.
  public let simulator: StackProcess
  /// Every copy of every service.
  public let services: [StackProcess]
  /// libpq URI of Belfry's database; contains the password.
  public let databaseURL: String

  private let plan: StackPlan
  private let lock: DirectoryLock

  private init(
    plan: StackPlan,
    lock: DirectoryLock,
    postgres: PostgresServer,
    rabbitmq: RabbitMQServer,
    simulator: StackProcess,
    services: [StackProcess]
  ) {
    configuration = plan.configuration
    self.plan = plan
    self.lock = lock
    self.postgres = postgres
    self.rabbitmq = rabbitmq
    self.simulator = simulator
    self.services = services
    databaseURL = postgres.url(database: StackPlan.database)
  }

  /// Starts everything and waits until every part is ready.
  ///
  /// If a part fails, what was started is stopped before the error is thrown.
  ///
  /// - Parameter report: Called as the work goes on, from any thread.
  public static func start(
    _ configuration: BelfryStackConfiguration,
    logger: Logger,
    report: @escaping @Sendable (StackEvent) -> Void = { _ in }
  ) async throws(LocalStackError) -> BelfryStack {
    let directory = configuration.directory
    try Files.makeDirectory("\(directory)/logs")
    let lock = try DirectoryLock(directory: directory)
    let plan = try StackPlan(configuration)
    try plan.linkPrograms()
    report(.settings(taken: plan.taken, overridden: plan.overridden))
    let step = StackStep(report: report)
    let simulator = plan.simulator()
    // RabbitMQ takes longest: all that can be done without it is done meanwhile.
    async let databaseStart = database(plan, step, logger)
    async let rabbitmqStart = step.run("RabbitMQ") { () async throws(LocalStackError) in
      try await RabbitMQServer.start(
        directory: "\(directory)/rabbitmq",
        installation: configuration.rabbitmq,
        logger: logger
      )
    }
    async let simulatorStart = step.run("provider simulator") { () async throws(LocalStackError) in
      try simulator.launch()
      try await simulator.waitUntilReady()
    }
    let (postgres, rabbitmq, simulated) = await (databaseStart, rabbitmqStart, simulatorStart)
    var services: [StackProcess] = []
    do {
      let database = try postgres.get()
      let broker = try rabbitmq.get()
      try simulated.get()
      services = try plan.services(
        databaseURL: database.url(database: StackPlan.database),
        brokerURL: broker.url
      )
      let stack = BelfryStack(
        plan: plan,
        lock: lock,
        postgres: database,
        rabbitmq: broker,
        simulator: simulator,
        services: services
      )
      try await step.run("services") { () async throws(LocalStackError) in try await stack.startServices() }.get()
      return stack
    } catch {
      await stop(
        services: services + [simulator],
        rabbitmq: try? rabbitmq.get(),
        postgres: try? postgres.get()
      )
      throw error
    }
  }

  /// Stops everything in order: the services (they drain), the simulator, then the servers.
  public func stop() async {
    await Self.stop(services: services, rabbitmq: nil, postgres: nil)
    await Self.stop(services: [simulator], rabbitmq: rabbitmq, postgres: postgres)
  }

  /// One more copy of a service, with variables of its own: not started, and not among ``services``.
  public func extra(
    _ service: BelfryService,
    name: String,
    port: Int,
    variables: [String: String]
  ) -> StackProcess {
    plan.process(service, name: name, port: port, databaseURL: databaseURL, brokerURL: rabbitmq.url, own: variables)
  }

  // MARK: Looking at it

  /// With which tokens are signed (HS256); generated at the first start in the directory.
  public var tokenSecret: String { plan.tokenSecret }
  /// The simulator's files: `ca.pem`, `service-account.json`.
  public var simulatorDirectory: String { plan.simulatorDirectory }
  public var smtpPort: Int { plan.smtpPort }
  public var fcmPort: Int { plan.fcmPort }
  /// Of APNs' environment production.
  public var apnsPort: Int { plan.apnsPort }
  public var apnsSandboxPort: Int { plan.apnsSandboxPort }
  public var webPushPort: Int { plan.webPushPort }
  /// To which Firefox connects.
  public var webPushSocketPort: Int { plan.webPushSocketPort }
  /// With which browsers subscribe.
  public var vapidPublicKey: String { plan.vapidPublicKey }

  /// By which path a service is run.
  public func program(of service: BelfryService) -> String { plan.program(service.executable) }

  /// The copies of one service.
  public func services(_ service: BelfryService) -> [StackProcess] {
    services.filter { $0.service == service }
  }

  /// `http://127.0.0.1:…` of the first gateway.
  public var gatewayURL: String { services(.gateway).first?.url ?? "" }
  /// `http://127.0.0.1:…/hubs/notifications` of the first in-app dispatcher.
  public var hubURL: String { (services(.inapp).first?.url ?? "") + "/hubs/notifications" }

  // MARK: Parts of the start

  /// Starts PostgreSQL, and makes the database what this release needs.
  private static func database(
    _ plan: StackPlan,
    _ step: StackStep,
    _ logger: Logger
  ) async -> Result<PostgresServer, LocalStackError> {
    let configuration = plan.configuration
    let start = await step.run("PostgreSQL") { () async throws(LocalStackError) in
      try await PostgresServer.start(
        directory: "\(configuration.directory)/postgresql",
        installation: configuration.postgres,
        isDurable: configuration.isDurable,
        logger: logger
      )
    }
    guard case .success(let server) = start else { return start }
    let schema = await step.run("database schema") { () async throws(LocalStackError) in
      try await server.makeDatabase(StackPlan.database)
      try await LocalProcess.run(
        executable: configuration.programs.product,
        arguments: ["migrate"],
        environment: plan.environment(["BELFRY_DATABASE_URL": server.url(database: StackPlan.database)]),
        within: .seconds(120)
      )
    }
    if case .failure(let error) = schema {
      await server.stop()
      return .failure(error)
    }
    return start
  }

  private func startServices() async throws(LocalStackError) {
    for service in services { try service.launch() }
    for service in services { try await service.waitUntilReady() }
  }

  private static func stop(services: [StackProcess], rabbitmq: RabbitMQServer?, postgres: PostgresServer?) async {
    await withTaskGroup { group in
      for service in services { group.addTask { _ = await service.terminate() } }
    }
    await withTaskGroup { group in
      group.addTask { await rabbitmq?.stop() }
      group.addTask { await postgres?.stop() }
    }
  }
}
