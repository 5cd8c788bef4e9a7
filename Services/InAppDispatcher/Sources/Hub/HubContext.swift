import Authentication
import Foundation
import JSON
import Logging
import NIOCore
import NIOHTTP1
import ServiceRuntime
import SignalRProtocol
import Synchronization

/// What every connection of a node shares.
final class HubContext: Sendable {
  let verifier: TokenVerifier
  let origins: OriginPolicy
  let placement: HubPlacement
  let limits: HubLimits
  let timing: HubTiming
  let directory: ConnectionDirectory
  let loops: [HubLoop]
  /// What clients may call; nil: nothing.
  let methods: HubMethods?
  let statistics: HubStatistics
  let logger: Logger
  private let closesOnTokenExpiry: Bool
  private let checks: HealthChecks
  private let draining = Atomic(false)

  init(
    configuration: HubServerConfiguration,
    verifier: TokenVerifier,
    directory: ConnectionDirectory,
    loops: [HubLoop],
    methods: HubMethods?,
    checks: HealthChecks,
    statistics: HubStatistics,
    logger: Logger
  ) {
    self.verifier = verifier
    origins = OriginPolicy(allowed: configuration.allowedOrigins)
    placement = configuration.placement
    limits = configuration.limits
    timing = configuration.timing
    closesOnTokenExpiry = configuration.closesOnTokenExpiry
    self.directory = directory
    self.loops = loops
    self.methods = methods
    self.checks = checks
    self.statistics = statistics
    self.logger = logger
  }

  /// When a connection opened with this token has to end; nil if its end ends none.
  func expiry(of principal: Principal) -> NIODeadline? {
    guard closesOnTokenExpiry, let expiresAt = principal.expiresAt else { return nil }
    // Tokens are accepted a little beyond their end; a connection opened then lives until the next check.
    let seconds = min(max(expiresAt.timeIntervalSinceNow, 0), 10 * 365 * 86_400)
    return .now() + .milliseconds(Int64(seconds * 1_000))
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
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("status", "not ready")
      writer.array("failing") { writer in
        for name in failing { writer.string(name) }
      }
    }
    return .json(writer.bytes, status: .serviceUnavailable)
  }
}
