public import Authentication
import Foundation
public import ServiceRuntime
public import Settings

/// What the in-app dispatcher needs to know: where to listen, whom to let in, the broker and the database.
public struct InAppConfiguration: ServiceConfiguration {
  public var server: HubServerConfiguration
  public var tokens: TokenVerifierConfiguration
  public var parts: PartsConfiguration
  /// An operator's catalogue file (YAML), which wins over the versions in the database; empty means none.
  public var catalogueFile: String
  /// Part of the name of this node's queue; unique among running nodes and across restarts.
  public var node: String

  /// Reads `inapp.…`, `auth.…`, `broker.…`, `database.…`, `catalogue.…` and `health.…`.
  public init(_ settings: Settings) {
    server = HubServerConfiguration(settings)
    tokens = TokenVerifierConfiguration(settings)
    // Clients show their token two or three times, not for its whole life as at the gateway.
    tokens.maximumCachedTokens = min(tokens.maximumCachedTokens, 2_000)
    parts = PartsConfiguration(settings)
    catalogueFile = settings.string(
      "catalogue.file",
      default: "",
      "YAML file of notification types and events that adds to or replaces the built-in ones, or stands alone; it wins over the versions in the database."
    )
    let name = settings.string(
      "inapp.node",
      default: "",
      "Name of this node, shown in the name of its queue; empty means the host's name."
    )
    node = "\(name.isEmpty ? ProcessInfo.processInfo.hostName : name).\(ConnectionID.random())"
  }
}
