import Authentication
import Foundation
import Logging
import NIOCore
import SignalRProtocol
import Synchronization

/// What every connection of a node shares.
final class HubContext: Sendable {
  let verifier: TokenVerifier
  let placement: HubPlacement
  let nodeHeader: HeaderName
  let limits: HubLimits
  let timing: HubTiming
  let directory: ConnectionDirectory
  let loops: [HubLoop]
  /// What clients may call; nil: nothing.
  let methods: HubMethods?
  let statistics: HubStatistics
  let telemetry = HubTelemetry()
  let logger: Logger
  private let closesOnTokenExpiry: Bool
  private let draining = Atomic(false)

  init(
    configuration: HubServerConfiguration,
    verifier: TokenVerifier,
    directory: ConnectionDirectory,
    loops: [HubLoop],
    methods: HubMethods?,
    statistics: HubStatistics,
    logger: Logger
  ) {
    self.verifier = verifier
    placement = configuration.placement
    nodeHeader = configuration.nodeHeader
    limits = configuration.limits
    timing = configuration.timing
    closesOnTokenExpiry = configuration.closesOnTokenExpiry
    self.directory = directory
    self.loops = loops
    self.methods = methods
    self.statistics = statistics
    self.logger = logger
  }

  /// When a connection opened with this token has to end; nil if its end ends none.
  ///
  /// Not before the token is refused, not by a millisecond: the client would come back with it, again and again.
  func expiry(of principal: Principal) -> NIODeadline? {
    guard closesOnTokenExpiry, let validUntil = principal.validUntil else { return nil }
    let seconds = min(max(validUntil.timeIntervalSinceNow, 0), 10 * 365 * 86_400)
    return .now() + .milliseconds(Int64((seconds * 1_000).rounded(.up)))
  }

  /// Whether the node is shutting down and takes nobody in.
  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func startDraining() {
    draining.store(true, ordering: .relaxed)
  }
}
