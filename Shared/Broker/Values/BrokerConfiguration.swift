/// How to reach the broker. Reading a malformed URL fails; nothing here ever prints the password.
public struct BrokerConfiguration: Sendable {
  /// Tried in turn, the first one first; port 5672, or 5671 with TLS, unless given.
  public struct Host: Sendable, Hashable, CustomStringConvertible {
    public var name: String
    public var port: Int
    public var description: String { name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)" }
  }

  public var hosts: [Host]
  public var virtualHost: String
  public var user: String
  var password: Secret
  /// Set by `amqps://`: TLS 1.2 or later, with certificate and host name verified.
  public var usesTLS: Bool
  /// The authorities that may have signed the broker's certificate, in PEM.
  public var caFile: String
  /// Shown in the broker's list of connections.
  public var connectionName: String
  /// Both sides send something at least this often; two intervals of silence end the connection. At least 1 s.
  public var heartbeat: Duration
  /// For each host: to connect, and again for the log-in and for each declaration.
  public var connectTimeout: Duration
  /// How long a publish waits for a connection before it fails with `unavailable`.
  public var availabilityTimeout: Duration
  /// How long a publish waits for its confirm before it fails with `timeout`.
  public var confirmTimeout: Duration
  /// How long `run` waits at shutdown for outstanding confirms.
  public var drainTimeout: Duration
  /// Bytes. A larger frame is split; the broker may ask for less.
  public var maximumFrame: Int
  /// Bytes of a body; a larger one fails with `messageTooLarge` here. RabbitMQ 4 refuses more than 16 MiB by default.
  public var maximumMessage: Int

  /// Reads `amqp[s]://user:password@host1:port1,host2:port2/vhost`; user, password and vhost may be percent-encoded.
  ///
  /// Without user and password it is `guest`; without a virtual host it is `/`.
  public init(url: String) throws(BrokerError) {
    let parsed = try BrokerURL(url)
    hosts = parsed.hosts
    virtualHost = parsed.virtualHost
    user = parsed.user
    password = Secret(parsed.password)
    usesTLS = parsed.usesTLS
    caFile = "/etc/ssl/certs/ca-certificates.crt"
    connectionName = "belfry"
    heartbeat = .seconds(10)
    connectTimeout = .seconds(5)
    availabilityTimeout = .seconds(1)
    confirmTimeout = .seconds(10)
    drainTimeout = .seconds(5)
    maximumFrame = 131_072
    maximumMessage = 16 * 1_024 * 1_024
  }
}

extension BrokerConfiguration: CustomStringConvertible {
  public var description: String {
    "\(usesTLS ? "amqps" : "amqp")://\(hosts.map(\.description).joined(separator: ","))\(virtualHost)"
  }
}

/// Keeps a password out of every kind of printing, reflection included.
struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let value: String
  init(_ value: String) { self.value = value }
  var description: String { "***" }
  var debugDescription: String { "***" }
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
