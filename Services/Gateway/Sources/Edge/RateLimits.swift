import Authentication
import Hummingbird
import ServiceRuntime

/// The limiters of a gateway; nil is unlimited.
struct RateLimits: Sendable {
  let user: RateLimiter?
  let service: RateLimiter?
  /// Of whatever comes from an address.
  let address: RateLimiter?
  /// Of what brings no valid token or key, by address.
  let refused: RateLimiter?
  /// Of reports by receipts of one user: as many as their other requests, beside those.
  let receipts: RateLimiter?
  /// Of links to unsubscribe, by address.
  let unsubscribes: AddressLimiter?
  private let trustsForwardedFor: Bool

  init(_ configuration: EdgeConfiguration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    func limiter(_ name: String, _ rate: Int) -> RateLimiter? {
      rate > 0 ? RateLimiter(name, rate: rate, now: now) : nil
    }
    user = limiter("user", configuration.userRate)
    service = limiter("service", configuration.serviceRate)
    address = limiter("address", configuration.addressRate)
    refused = limiter("refused", configuration.refusedRate)
    receipts = limiter("receipts", configuration.userRate)
    let trustsForwardedFor = configuration.trustsForwardedFor
    unsubscribes = limiter("unsubscribe", configuration.unsubscribeRate).map {
      AddressLimiter(limiter: $0, trustsForwardedFor: trustsForwardedFor)
    }
    self.trustsForwardedFor = trustsForwardedFor
  }

  /// Counts a request of somebody who is known; nil if they are not limited.
  func take(_ principal: Principal) -> Quota? {
    (principal.isService ? service : user)?.take(principal.subject)
  }

  /// Where a request comes from.
  func network(of request: Request, _ context: GatewayContext) -> ClientNetwork {
    ClientNetwork(context.channel.remoteAddress, request.headers, trustsProxy: trustsForwardedFor)
  }
}
