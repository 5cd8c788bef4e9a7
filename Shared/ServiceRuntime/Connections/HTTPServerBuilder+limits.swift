public import HummingbirdCore
public import Logging

extension HTTPServerBuilder {
  /// HTTP/1.1 for clients that may be slow, many, or both on purpose.
  public static func http1(within limits: ConnectionLimits, logger: Logger) -> HTTPServerBuilder {
    let counts = ConnectionCounts(maximumPerNetwork: limits.maximumPerAddress, logger: logger)
    return .http1(
      configuration: .init(additionalChannelHandlers: [ConnectionGuard(limits, counts: counts)])
    )
  }
}
