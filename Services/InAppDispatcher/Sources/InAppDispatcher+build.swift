import Authentication
import Broker
public import Logging
public import ServiceLifecycle
import ServiceRuntime

/// Builds the in-app dispatcher: the consumer of realtime messages and the hub.
///
/// The hub comes last and so stops first: clients still receive events while they are sent elsewhere.
public func buildInAppDispatcher(_ configuration: InAppConfiguration, _ logger: Logger) async throws -> [any Service] {
  var tokens = configuration.tokens
  tokens.reloadFailed = { error in
    logger.error("the changed keys are not used", metadata: ["reason": "\(error)"])
  }
  let verifier = try await TokenVerifier(configuration: tokens)
  let consumer = RealtimeConsumer.queue(
    of: configuration.node,
    configuration: configuration.broker.connection,
    logger: logger
  )
  var checks = HealthChecks()
  checks.add("broker is connected") { consumer.isReady }
  let server = HubServer(configuration: configuration.server, verifier: verifier, checks: checks, logger: logger)
  return [RealtimeConsumer(consumer: consumer, server: server, logger: logger), server]
}
