import Foundation
public import ServiceRuntime

extension HubServerConfiguration: ServiceConfiguration {
  /// Reads `inapp.…`.
  public init(_ settings: Settings) {
    self.init()
    host = settings.string("inapp.host", default: "127.0.0.1", "Address on which the hub listens.")
    port = settings.integer("inapp.port", default: 8_082, in: 0...65_535, "Port of the hub; 0 takes any free one.")
    allowedOrigins = settings.list(
      "inapp.allowedOrigins",
      default: [],
      "Origins of web pages that may use the hub, e.g. https://app.example; its own host always may."
    )
    limits.maximumConnections = settings.integer(
      "inapp.maximumConnections",
      default: limits.maximumConnections,
      in: 1...1_000_000,
      "Open hub connections; more are answered 503."
    )
    limits.maximumConnectionsPerUser = settings.integer(
      "inapp.maximumConnectionsPerUser",
      default: limits.maximumConnectionsPerUser,
      in: 1...10_000,
      "Open hub connections of one user; more are answered 429."
    )
    limits.maximumPendingBytes = settings.integer(
      "inapp.maximumPendingBytes",
      default: limits.maximumPendingBytes,
      in: 65_536...1_073_741_824,
      "Bytes that may wait for a client that does not read; beyond, it is dropped."
    )
    threads = settings.integer(
      "inapp.threads",
      default: min(ProcessInfo.processInfo.activeProcessorCount, ConnectionDirectory.maximumLoops),
      in: 1...ConnectionDirectory.maximumLoops,
      "Event loops; each connection lives on one."
    )
    drainPeriod = settings.duration(
      "inapp.drainPeriod",
      default: drainPeriod,
      "Over how long a shutdown spreads its goodbyes, so that clients don't reconnect all at once."
    )
  }
}
