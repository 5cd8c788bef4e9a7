public import Authentication
import Broker
import Foundation
public import ServiceRuntime

/// What the in-app dispatcher needs to know: where to listen, whom to let in, and the broker.
public struct InAppConfiguration: ServiceConfiguration {
  public var server: HubServerConfiguration
  public var tokens: TokenVerifierConfiguration
  public var broker: BrokerSettings
  /// Part of the name of this node's queue; unique among running nodes and across restarts.
  public var node: String

  /// Reads `inapp.…`, `auth.…` and `broker.…`.
  public init(_ settings: Settings) {
    server = HubServerConfiguration(settings)
    tokens = TokenVerifierConfiguration(settings)
    // Clients show their token two or three times, not for its whole life as at the gateway.
    tokens.maximumCachedTokens = min(tokens.maximumCachedTokens, 2_000)
    broker = BrokerSettings(settings)
    broker.connection.connectionName = "belfry-inapp"
    let name = settings.string(
      "inapp.node",
      default: "",
      "Name of this node, shown in the name of its queue; empty means the host's name."
    )
    node = "\(name.isEmpty ? ProcessInfo.processInfo.hostName : name).\(ConnectionID.random())"
  }
}
