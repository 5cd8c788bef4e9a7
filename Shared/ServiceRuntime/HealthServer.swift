public import Hummingbird
import HummingbirdCore
import BelfryJSON
public import Logging
import NIOCore
public import ServiceLifecycle

/// Serves `/health/live`, `/health/ready` and, where there are any, `/metrics` on a port of its own, away from clients, who
/// cannot take its connections.
///
/// Live answers 200 while the process runs. Ready answers 200, or 503 with the names of the failing checks; it turns red as
/// soon as a shutdown begins, because the server stops first.
public struct HealthServer: Service {
  private let configuration: HealthConfiguration
  private let checks: HealthChecks
  private let metrics: (@Sendable () -> String)?
  private let logger: Logger

  /// - Parameter metrics: Answers `/metrics` in Prometheus' text format.
  public init(
    configuration: HealthConfiguration,
    checks: HealthChecks,
    metrics: (@Sendable () -> String)? = nil,
    logger: Logger
  ) {
    self.configuration = configuration
    self.checks = checks
    self.metrics = metrics
    self.logger = logger
  }

  public func run() async throws {
    guard configuration.port > 0 else { return try await gracefulShutdown() }
    try await application().run()
  }

  func application(
    within limits: ConnectionLimits = .probes,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    let router = Router()
    router.get("/health/live") { _, _ in Self.liveness() }
    router.get("/health/ready") { [checks] _, _ in Self.readiness(checks) }
    if let metrics {
      router.get("/metrics") { _, _ in
        Response(
          status: .ok,
          headers: [.contentType: "text/plain; version=0.0.4"],
          body: .init(byteBuffer: ByteBuffer(string: metrics()))
        )
      }
    }
    return Application(
      router: router,
      server: .http1(within: limits, logger: logger),
      configuration: .init(
        address: .hostname(configuration.host, port: configuration.port),
        availableConnectionsDelegate: MaximumAvailableConnections(limits.maximumConnections)
      ),
      onServerRunning: onServerRunning,
      logger: logger
    )
  }

  /// What `/health/live` answers.
  public static func liveness() -> Response { alive }

  /// It is always the same, so it is written once.
  private static let alive = json(.ok) { $0.field("status", "ok") }

  /// What `/health/ready` answers.
  ///
  /// - Parameter isOpen: Whether anybody may ask, as on a port for clients.
  public static func readiness(_ checks: HealthChecks, isOpen: Bool = false) -> Response {
    let failing = checks.failing(isOpen: isOpen)
    return json(failing.isEmpty ? .ok : .serviceUnavailable) { writer in
      writer.field("status", failing.isEmpty ? "ready" : "not ready")
      if !failing.isEmpty {
        writer.array("failing") { writer in
          for name in failing { writer.string(name) }
        }
      }
      for (name, text) in checks.told(isOpen: isOpen) { writer.field(name, text) }
    }
  }

  private static func json(_ status: HTTPResponse.Status, _ fields: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    writer.object(nil, fields)
    return Response(
      status: status,
      headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(bytes: writer.bytes))
    )
  }
}
