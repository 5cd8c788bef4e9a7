import Foundation
import Gateway
import LocalStack
import ServiceLifecycle
import Settings
import TestSupport
import Testing

/// A whole gateway with a server of its own, as it is built of its settings.
enum RunningGateway {
  /// Runs it while `body` does, which gets its port and that of its health. Unless these settings say otherwise there is
  /// neither a database nor a broker.
  ///
  /// - Parameters:
  ///   - clock: Of its machine.
  ///   - whileStopping: Is done when the shutdown has begun.
  static func with(
    _ variables: [String: String] = [:],
    clock: @escaping @Sendable () -> Date = { Date.now },
    _ body: (Int, Int) async throws -> Void,
    whileStopping: (Int, Int) async throws -> Void = { _, _ in }
  ) async throws {
    let (port, healthPort) = (try FreePort.find(), try FreePort.find())
    let others = [
      "BELFRY_GATEWAY_PORT": "\(port)", "BELFRY_HEALTH_PORT": "\(healthPort)",
      "BELFRY_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "BELFRY_BROKER_URL": "amqp://127.0.0.1:1/",
      "BELFRY_AUTH_SECRET": TestGateway.secret,
    ]
    let settings = Settings(variables: others.merging(variables) { $1 })
    let configuration = GatewayConfiguration(settings)
    try settings.validate()
    let log = LogRecorder()
    let services = ServiceGroup(
      configuration: .init(
        services: try await Gateway.build(configuration, clock: clock, logger: log.logger).map { .init(service: $0) },
        logger: .quiet
      )
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await services.run() }
      group.addTask {
        try await eventually("both servers listen") { log.all.count { $0.text.contains("listening on") } >= 2 }
      }
      // Whichever ends first: a gateway that cannot run throws.
      try await group.next()
      if variables["BELFRY_DATABASE_URL"] != nil {
        try await eventually("it knows its catalogue") {
          log.all.contains { $0.text.hasPrefix("the catalogue in force") }
        }
      }
      try await body(port, healthPort)
      await services.triggerGracefulShutdown()
      try await whileStopping(port, healthPort)
      try await group.waitForAll()
    }
  }
}
