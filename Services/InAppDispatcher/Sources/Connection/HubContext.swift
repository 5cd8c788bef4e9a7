import Authentication
import Foundation
import Logging
import NIOCore
import NotificationStore
import SignalRProtocol
import Synchronization
import UserIdentity

/// A token's subject is not the user's whose UUID stands for it.
struct UserOfAnother: Error {}

/// What every connection of a node shares.
final class HubContext: Sendable {
  let verifier: TokenVerifier
  /// Who is who; nil where nobody goes by anything but a UUID.
  let identifiers: UserIdentifierStore?
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
    identifiers: UserIdentifierStore?,
    directory: ConnectionDirectory,
    loops: [HubLoop],
    methods: HubMethods?,
    statistics: HubStatistics,
    logger: Logger
  ) {
    self.verifier = verifier
    self.identifiers = identifiers
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

  /// Whom a token speaks for.
  ///
  /// Who comes by a UUID that may stand for a text has it from then on: else who is known by that text later would be heard over
  /// connections that are there already. A text is only looked up: connecting stores nothing personal.
  ///
  /// - Throws: The reason to refuse it; ``UserOfAnother`` for a subject whose UUID is another's; what the database fails with.
  func principal(of token: String) async throws -> Principal {
    let principal = try verifier.verify(token)
    if let user = principal.user, user.isContestable, let identifiers {
      let refused = try await user.text == nil ? identifiers.claim([user], asked: .now) : identifiers.check([user])
      guard refused.isEmpty else { throw UserOfAnother() }
    }
    return principal
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
