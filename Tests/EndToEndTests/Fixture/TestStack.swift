import Authentication
import Foundation
import LocalStack
import NotificationModel
import Testing
import Postgres
import TestSupport
import Transport

/// All of Belfry as real processes, with clients for what the tests ask of it.
///
/// The suites share one stack and run one after another. Everything dies with the test process, even by -9.
final class TestStack: Sendable {
  let stack: BelfryStack
  let http: HTTPClient
  let database: PostgresClient
  private let secret: String

  private init(_ stack: BelfryStack) {
    self.stack = stack
    secret = stack.tokenSecret
    var configuration = HTTPClientConfiguration()
    configuration.maximumConnectionsPerHost = 32
    configuration.maximumWaiting = 20_000
    configuration.maximumResponseBody = 256 * 1_024 * 1_024
    http = HTTPClient(configuration: configuration, logger: .quiet)
    database = PostgresClient(
      configuration: PostgresConfiguration(url: stack.databaseURL, connections: 2),
      logger: .quiet
    )
  }

  /// Runs a test with the shared stack and a database client of its own.
  static func with(_ body: (TestStack) async throws -> Void) async throws {
    try await with(try await shared.value, body)
  }

  /// Runs a test with a stack of its own, whose services have this catalogue file.
  static func with(catalogue yaml: String, _ body: (TestStack) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-own-\(UUID().uuidString)").path
    defer { Cleanup.removeNow(directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let file = "\(directory)/catalogue.yaml"
    try Data(yaml.utf8).write(to: URL(filePath: file))
    let own = ["BELFRY_CATALOGUE_FILE": file]
    try await with(variables: [.gateway: own, .router: own, .email: own, .inapp: own], in: directory, body)
  }

  /// Runs a test with a stack of its own, whose services have these settings besides.
  ///
  /// - Parameter directory: The stack's files lie in it.
  static func with(
    variables: [BelfryService: [String: String]],
    in directory: String,
    _ body: (TestStack) async throws -> Void
  ) async throws {
    var configuration = try BelfryStackConfiguration.tested(in: "\(directory)/data")
    for (service, own) in variables { configuration.variables[service] = own }
    let stack = try await BelfryStack.start(configuration, logger: .quiet)
    do {
      try await with(stack, body)
    } catch {
      await stack.stop()
      throw error
    }
    await stack.stop()
  }

  /// Runs a test with a stack, which it owns or shares.
  static func with(_ stack: BelfryStack, _ body: (TestStack) async throws -> Void) async throws {
    let test = TestStack(stack)
    try await withThrowingTaskGroup { group in
      group.addTask { try await test.database.run() }
      try await test.resetSimulator()
      try await body(test)
      group.cancelAll()
    }
    await test.http.close()
  }

  /// A ladder short enough for tests; the same for all services.
  private static let variables = ["BELFRY_RETRY_TIERS": "200ms,1s,2s,3s"]

  /// Where links in mails lead.
  static let publicURL = "https://notify.example.com/belfry"

  /// Pages served at `http://localhost:<port>` may use the hub.
  static let pagePort: Result<Int, any Error> = Result { try FreePort.find() }

  /// Started by the first test that needs it.
  private static let shared = Task { try await start() }

  private static func start() async throws -> BelfryStack {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "belfry-end-to-end-\(ProcessInfo.processInfo.processIdentifier)").path
    Cleanup.remove(directory)
    var configuration = try BelfryStackConfiguration.tested(in: directory)
    for service in BelfryService.allCases { configuration.variables[service] = variables }
    // Soon noticed when one of them, or the broker, is stopped; see PauseTests.
    for service in [BelfryService.email, .push] { configuration.variables[service]?["BELFRY_BROKER_HEARTBEAT"] = "2s" }
    configuration.variables[.email]?["BELFRY_EMAIL_BULK_FROM"] = "offers@localhost"
    configuration.variables[.email]?["BELFRY_EMAIL_BULK_RETURN_PATH"] = "returned@localhost"
    configuration.variables[.inapp] = [
      "BELFRY_INAPP_ALLOWED_ORIGINS": "http://localhost:\(try pagePort.get())"
    ]
    for service in [BelfryService.gateway, .email] {
      configuration.variables[service]?["BELFRY_UNSUBSCRIBE_KEYS"] = "a secret of links that is long enough"
    }
    configuration.variables[.email]?["BELFRY_PUBLIC_URL"] = publicURL
    let catalogue = try WaitingCatalogue.file.get()
    for service in [BelfryService.gateway, .router, .email, .inapp] {
      configuration.variables[service]?["BELFRY_CATALOGUE_FILE"] = catalogue
    }
    configuration.scale = [.router: 2, .push: 2, .inapp: 2]
    let stack = try await BelfryStack.start(configuration, logger: .quiet)
    // RabbitMQ 3.10 writes its list of queues to disk a little late; a kill before that would lose them.
    _ = try await stack.rabbitmq.control(["eval", "[ok = dets:sync(T) || T <- dets:all()]."])
    return stack
  }

  // MARK: Talking to the gateway

  /// A token of a user, or of a service.
  func token(_ user: UserID, secret: String? = nil, lifetime: Duration = .seconds(3_600)) async throws -> String {
    try TokenMinter.mint(secret: secret ?? self.secret, subject: user.description, lifetime: lifetime)
  }

  /// A token of somebody who goes by a text.
  func token(named subject: String) async throws -> String { try TokenMinter.mint(secret: secret, subject: subject) }

  func serviceToken(subject: String = "tests") async throws -> String {
    try TokenMinter.mint(secret: secret, subject: subject, roles: [.service])
  }

  /// Calls the gateway, and holds its answer against openapi.yaml.
  ///
  /// - Parameter url: Of another server, whose answers are its own.
  func call(
    _ method: String,
    _ path: String,
    at url: String? = nil,
    token: String? = nil,
    headers: [(name: String, value: String)] = [],
    body: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Answer {
    var headers = headers
    if let token { headers.append((name: "Authorization", value: "Bearer \(token)")) }
    if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
    let response = try await http.send(
      HTTPRequest(
        method: method,
        url: (url ?? stack.gatewayURL) + path,
        headers: headers,
        body: Array((body ?? "").utf8)
      )
    )
    let answer = Answer(response)
    if url == nil {
      let exchange = DescriptionJudge.Exchange(
        method: method,
        path: path,
        status: answer.status,
        headers: response.headers.all,
        body: Data(answer.body)
      )
      for objection in try await DescriptionJudge.shared.objections(to: exchange) {
        Issue.record("openapi.yaml: \(objection)", sourceLocation: sourceLocation)
      }
    }
    return answer
  }

  /// Sends over REST as a service.
  func send(_ body: String, key: String? = nil, subject: String = "tests") async throws -> Answer {
    try await call(
      "POST",
      "/api/v1/notifications",
      token: try await serviceToken(subject: subject),
      headers: key.map { [(name: "Idempotency-Key", value: $0)] } ?? [],
      body: body
    )
  }

  /// A new user with a profile and one device per given platform.
  func makeUser(email: Bool = false, platforms: [DevicePlatform] = [.android]) async throws -> Person {
    let id = UserID(UUID())
    let address = "\(id.description.prefix(8))@example.org"
    var person = Person(id: id, token: try await token(id), email: address)
    _ = try await call(
      "PUT",
      "/api/v1/users/\(id)",
      token: try await serviceToken(),
      body: "{\"displayName\":\"Ann\",\"email\":\"\(address)\"}"
    ).expect(201)
    for platform in platforms {
      let device = "token-\(UUID().lowercased)"
      _ = try await call(
        "POST",
        "/api/v1/devices",
        token: person.token,
        body:
          "{\"token\":\"\(device)\",\"platform\":\(platform.rawValue),\"deviceName\":\"phone \(platform.rawValue)\"}"
      ).expect(200)
      person.devices.append(device)
    }
    if email {
      _ = try await call(
        "PUT",
        "/api/v1/notifications/preferences",
        token: person.token,
        body: #"{"preferences":[{"notificationType":10,"inAppEnabled":true,"pushEnabled":true,"emailEnabled":true}]}"#
      ).expect(200)
    }
    return person
  }

  // MARK: Looking at the simulator

  func simulator(_ method: String, _ path: String, body: String? = nil) async throws -> Answer {
    let headers = body == nil ? [] : [(name: "Content-Type", value: "application/json")]
    return Answer(
      try await http.send(
        HTTPRequest(
          method: method,
          url: stack.simulator.url + path,
          headers: headers,
          body: Array((body ?? "").utf8)
        )
      )
    )
  }

  func resetSimulator() async throws {
    _ = try await simulator("POST", "/api/reset").expect(204)
  }

  func fault(_ json: String) async throws {
    _ = try await simulator("POST", "/api/faults", body: json).expect(201)
  }

  /// Accepted pushes to a device.
  func pushes(to token: String) async throws -> [[String: Any]] {
    try await simulator("GET", "/api/pushes?token=\(token)&limit=1000").expect(200).list("pushes")
  }

  func mails(to address: String) async throws -> [[String: Any]] {
    try await simulator("GET", "/api/mails?to=\(address)&limit=1000").expect(200).list("mails")
  }

  /// Messages in each queue, those in flight included.
  func depths() async throws -> [String: Int] {
    let text = try await stack.rabbitmq.control(["list_queues", "-q", "--no-table-headers", "name", "messages"])
    return text.split(separator: "\n").reduce(into: [:]) { depths, line in
      let columns = line.split(separator: "\t")
      if columns.count == 2, let count = Int(columns[1]) { depths[String(columns[0])] = count }
    }
  }

  func depth(of queue: String) async throws -> Int { try await depths()[queue] ?? 0 }

  /// Messages waiting in the work queues, the ladder and on their way.
  func backlog() async throws -> Int {
    try await depths().filter { !$0.key.hasSuffix(".parked") }.values.reduce(0, +)
  }

  /// Runs the operator's command line.
  ///
  /// - Parameter variables: Over those that make it find this stack.
  func belfry(_ arguments: [String], variables: [String: String] = [:]) async throws -> CommandResult {
    try await CommandResult.run(
      stack.configuration.programs.product,
      arguments,
      environment: [
        "BELFRY_BROKER_URL": stack.rabbitmq.url, "BELFRY_DATABASE_URL": stack.databaseURL,
        "BELFRY_AUTH_SECRET": secret, "BELFRY_CLI_GATEWAY_URL": stack.gatewayURL,
      ].merging(variables) { $1 }
    )
  }
}

/// A user of the tests.
struct Person: Sendable {
  var id: UserID
  var token: String
  var email: String
  var devices: [String] = []
}
