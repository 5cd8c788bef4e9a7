import Authentication
import Logging
import NIOHTTP1
import ServiceRuntime
import SignalRProtocol
import Synchronization

/// What every connection of a node shares.
final class HubContext: Sendable {
  let verifier: TokenVerifier
  let origins: OriginPolicy
  let limits: HubLimits
  let timing: HubTiming
  let directory: ConnectionDirectory
  let statistics = HubStatistics()
  let methods = HubMethods()
  let logger: Logger
  private let checks: HealthChecks
  private let draining = Atomic(false)

  init(
    verifier: TokenVerifier,
    origins: OriginPolicy,
    limits: HubLimits,
    timing: HubTiming,
    checks: HealthChecks,
    logger: Logger
  ) {
    self.verifier = verifier
    self.origins = origins
    self.limits = limits
    self.timing = timing
    self.checks = checks
    self.logger = logger
    directory = ConnectionDirectory(limits: limits)
  }

  /// Whether the node is shutting down and takes nobody in.
  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func startDraining() {
    draining.store(true, ordering: .relaxed)
  }

  /// The answer of `/health/ready`.
  func readiness() -> HTTPAnswer {
    let failing = checks.failing() + (isDraining ? ["not shutting down"] : [])
    guard !failing.isEmpty else { return .json(Array(#"{"status":"ready"}"#.utf8)) }
    var writer = HubJSONWriter()
    writer.raw(#"{"status":"not ready","failing":"#)
    writer.array(failing.map(HubValue.string))
    writer.raw("}")
    return .json(writer.bytes, status: .serviceUnavailable)
  }
}
