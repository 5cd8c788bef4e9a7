import Hummingbird
import ServiceRuntime

/// How many requests are taken from where they come from.
struct AddressLimiter: Sendable {
  let limiter: RateLimiter
  let trustsForwardedFor: Bool

  /// Counts a request.
  func take(_ request: Request, _ context: GatewayContext) -> Quota {
    limiter.take(ClientNetwork(context.channel.remoteAddress, request.headers, trustsProxy: trustsForwardedFor))
  }
}
