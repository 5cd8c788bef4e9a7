import Logging

/// What the routes of bounces share through all versions of the catalogue: who may report, what was taken already, and Amazon's
/// certificates.
final class BounceDesk: Sendable {
  let configuration: BounceConfiguration
  let certificates: SNSCertificates
  let tokens = RememberedTokens()
  let telemetry: BounceTelemetry
  /// Of what is not proven, by address; nil is unlimited.
  let limits: RateLimits?

  /// - Parameter fetch: Gets Amazon's pages; nil is over the network.
  init(
    _ configuration: BounceConfiguration = .none,
    fetch: SNSCertificates.Fetch? = nil,
    telemetry: BounceTelemetry = BounceTelemetry(),
    limits: RateLimits? = nil,
    logger: Logger
  ) {
    self.configuration = configuration
    certificates = SNSCertificates(fetch: fetch ?? SNSCertificates.fetch(logger: logger))
    self.telemetry = telemetry
    self.limits = limits
  }
}
