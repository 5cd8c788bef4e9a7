import Foundation
import ServiceRuntime
public import Settings
import SignalRProtocol

extension HubServerConfiguration: ServiceConfiguration {
  /// Reads `inapp.…`.
  public init(_ settings: Settings) {
    self.init()
    host = settings.string("inapp.host", default: "127.0.0.1", "Address on which the hub listens.")
    port = settings.integer("inapp.port", default: 8_082, in: 0...65_535, "Port of the hub; 0 takes any free one.")
    allowedOrigins = settings.value(
      "inapp.allowedOrigins",
      default: .none,
      kind: AllowedOrigins.kind,
      "Origins of web pages that may use the hub, e.g. https://app.example; its own host always may."
    )
    limits.maximumConnections = settings.integer(
      "inapp.maximumConnections",
      default: limits.maximumConnections,
      in: 1...1_000_000,
      "Open hub connections; further connections are answered 503. Open connections and negotiations without a transport "
        + "may together be twice as many; further negotiations are answered 429."
    )
    limits.maximumConnectionsPerUser = settings.integer(
      "inapp.maximumConnectionsPerUser",
      default: limits.maximumConnectionsPerUser,
      in: 1...10_000,
      "Open hub connections of one user; further connections are answered 429. Four times as many negotiations of the "
        + "user may wait for their transport; further negotiations are answered 429."
    )
    limits.maximumConnectionsPerAddress = settings.integer(
      "inapp.maximumConnectionsPerAddress",
      default: limits.maximumConnectionsPerAddress,
      in: 1...1_000_000,
      "Open hub connections from one IPv4 address or IPv6 /64 network; further connections are answered 429. The same "
        + "number of TCP connections may be open without a token; further TCP connections are closed. Behind a proxy see "
        + "BELFRY_INAPP_TRUST_FORWARDED_FOR."
    )
    limits.trustsForwardedFor = settings.boolean(
      "inapp.trustForwardedFor",
      default: limits.trustsForwardedFor,
      "Whether a proxy in front says in the last entry of X-Forwarded-For where a client comes from."
    )
    limits.maximumMessagesPerSecond = settings.integer(
      "inapp.maximumMessagesPerSecond",
      default: limits.maximumMessagesPerSecond,
      in: 10...100_000,
      "Messages of one client in a second; the connection of a client that sends more is closed."
    )
    limits.sendTimeout = settings.duration(
      "inapp.sendTimeout",
      default: limits.sendTimeout,
      in: .seconds(1) ... .seconds(600),
      "How long a client may read nothing although something waits for it; then the connection is dropped."
    )
    limits.reconnectTimeout = settings.duration(
      "inapp.reconnectTimeout",
      default: limits.reconnectTimeout,
      in: .seconds(1) ... .seconds(600),
      "How long a connection with stateful reconnect waits for its client to come back."
    )
    timing.pingInterval = settings.duration(
      "inapp.pingInterval",
      default: timing.pingInterval,
      in: .seconds(1) ... .seconds(600),
      "Silence after which a client is sent a ping; shorter than BELFRY_INAPP_CLIENT_TIMEOUT."
    )
    timing.clientTimeout = settings.duration(
      "inapp.clientTimeout",
      default: timing.clientTimeout,
      in: .seconds(2) ... .seconds(3_600),
      "Silence after which a client that has pinged before counts as gone."
    )
    settings.require(
      "inapp.pingInterval",
      shorterThan: "inapp.clientTimeout",
      "a client set to the same two would count as gone between two of its pings."
    )
    timing.handshakeTimeout = settings.duration(
      "inapp.handshakeTimeout",
      default: timing.handshakeTimeout,
      in: .seconds(1) ... .seconds(300),
      "How long a client may take for the handshake of the protocol."
    )
    closesOnTokenExpiry = settings.boolean(
      "inapp.closeOnTokenExpiry",
      default: closesOnTokenExpiry,
      "Whether a connection ends with its token; the client is told to reconnect, with a new one."
    )
    placement = HubPlacement(settings)
    nodeHeader = settings.value(
      "inapp.nodeHeader",
      default: .none,
      kind: HeaderName.kind,
      "Header in which a proxy in front names this node, e.g. X-Belfry-Node. Connection tokens then begin with that "
        + "name and a dot, and the proxy finds the node by the token. The hub trusts the header: the proxy must always "
        + "overwrite what clients send."
    )
    limits.maximumPendingBytes = settings.integer(
      "inapp.maximumPendingBytes",
      default: limits.maximumPendingBytes,
      in: 65_536...1_073_741_824,
      "Bytes that may wait for a client that does not read; when there are more, the connection is dropped."
    )
    threads = settings.integer(
      "inapp.threads",
      // With one for each of two processors an event took longer to reach ten thousand clients, at more CPU for each.
      default: max(1, min(ProcessInfo.processInfo.activeProcessorCount - 1, ConnectionDirectory.maximumLoops)),
      in: 1...ConnectionDirectory.maximumLoops,
      "Event loops; each connection lives on one. The default leaves one processor to messages from the broker and to "
        + "the check of tokens."
    )
    stopDelay = settings.duration(
      "inapp.stopDelay",
      default: stopDelay,
      in: .zero ... .seconds(600),
      "How long after SIGTERM the hub goes on as before, while /health/ready answers 503: give the balancer time to "
        + "send clients elsewhere. BELFRY_INAPP_DRAIN_PERIOD follows; both together are shorter than "
        + "BELFRY_SERVICE_SHUTDOWN_DEADLINE by more than 2 s."
    )
    drainPeriod = settings.duration(
      "inapp.drainPeriod",
      default: drainPeriod,
      in: .zero ... .seconds(600),
      "At a shutdown the hub closes the connections one after another over this time, so that clients don't reconnect "
        + "all at once; shorter than BELFRY_SERVICE_SHUTDOWN_DEADLINE by more than 2 s."
    )
    settings.require(
      "inapp.drainPeriod",
      shorterThan: "service.shutdownDeadline",
      byMoreThan: limits.closeTimeout,
      "the last clients would be cut off."
    )
    if stopDelay > .zero {
      settings.require(
        "inapp.stopDelay",
        shorterThan: "service.shutdownDeadline",
        byMoreThan: drainPeriod + limits.closeTimeout,
        "the last clients would be cut off."
      )
    }
  }
}
