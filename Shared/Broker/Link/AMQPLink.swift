import CRabbitMQ
import Foundation

/// One connection with one open channel: the calls into librabbitmq, and nothing asynchronous.
///
/// Not thread-safe, like the library: it is made on a dialer's queue and then belongs to one actor.
final class AMQPLink {
  static let channel: amqp_channel_t = 1
  static let consumerTag = "belfry"

  let connection: amqp_connection_state_t
  let arena = CallArena()
  /// Tells deliveries of this connection from those of an earlier one.
  let generation: UInt64
  let host: BrokerConfiguration.Host
  let usesTLS: Bool
  let heartbeat: Duration
  var content: ContentAssembly?
  /// Messages that are not written yet.
  var published = FrameBuffer(maximumFrame: 0)

  /// Connects, logs in and opens the channel. Blocks for at most about twice the connect time-out.
  init(configuration: BrokerConfiguration, host: BrokerConfiguration.Host, generation: UInt64) throws(BrokerError) {
    guard let connection = amqp_new_connection() else {
      throw BrokerError(.overloaded, "No memory for a connection to the broker.")
    }
    self.connection = connection
    self.generation = generation
    self.host = host
    usesTLS = configuration.usesTLS
    heartbeat = configuration.heartbeat
    try connect(configuration)
    try logIn(configuration)
    _ = amqp_channel_open(connection, Self.channel)
    try check(amqp_get_rpc_reply(connection), doing: "Opening a channel")
    published = FrameBuffer(maximumFrame: maximumFrame)
  }

  deinit {
    amqp_destroy_connection(connection)
  }

  var descriptor: Int32 { amqp_get_sockfd(connection) }

  var maximumFrame: Int { Int(amqp_get_frame_max(connection)) }

  /// The socket takes more at once, so that a write of ordinary size will not block.
  var isWritable: Bool {
    var descriptor = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&descriptor, 1, 0) == 1
  }

  /// Says goodbye, if the broker still listens, for at most a second. The memory goes with the object.
  func close() {
    guard isWritable else { return }
    var timeout = Duration.seconds(1).timeval
    amqp_set_rpc_timeout(connection, &timeout)
    _ = amqp_connection_close(connection, AMQP_REPLY_SUCCESS)
  }

  private func connect(_ configuration: BrokerConfiguration) throws(BrokerError) {
    let socket: OpaquePointer?
    if configuration.usesTLS {
      socket = amqp_ssl_socket_new(connection)
      guard let socket else { throw BrokerError(.tls, "TLS could not be initialised.") }
      guard amqp_ssl_socket_set_cacert(socket, configuration.caFile) == AMQP_STATUS_OK.rawValue else {
        throw BrokerError(.tls, "The file of certificate authorities \(configuration.caFile) can't be read.")
      }
      amqp_ssl_socket_set_verify_peer(socket, 1)
      amqp_ssl_socket_set_verify_hostname(socket, 1)
      amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST)
    } else {
      socket = amqp_tcp_socket_new(connection)
    }
    guard let socket else { throw BrokerError(.overloaded, "No memory for a socket.") }

    var timeout = configuration.connectTimeout.timeval
    amqp_set_handshake_timeout(connection, &timeout)
    amqp_set_rpc_timeout(connection, &timeout)
    let status = amqp_socket_open_noblock(socket, host.name, Int32(host.port), &timeout)
    guard status == AMQP_STATUS_OK.rawValue else {
      let error = BrokerError.status(status, doing: "Connecting to \(host)")
      throw error.code == .tls ? Self.explained(error, host) : error.with(.cannotConnect)
    }
  }

  private static func explained(_ error: BrokerError, _ host: BrokerConfiguration.Host) -> BrokerError {
    BrokerError(
      .tls,
      "TLS with \(host) failed: its certificate is not signed by the configured authority, is not for this host name,"
        + " or the port speaks no TLS.",
      detail: error.debugDescription
    )
  }

  private func logIn(_ configuration: BrokerConfiguration) throws(BrokerError) {
    defer { arena.recycle() }
    var properties = arena.table([
      "product": "Belfry",
      "connection_name": .string(configuration.connectionName),
      "capabilities": [
        "publisher_confirms": true, "basic.nack": true, "consumer_cancel_notify": true, "connection.blocked": true,
      ],
    ])
    let heartbeat = max(1, Int32(clamping: configuration.heartbeat.components.seconds))
    let reply = belfry_amqp_login_plain(
      connection,
      configuration.virtualHost,
      16,
      Int32(clamping: configuration.maximumFrame),
      heartbeat,
      &properties,
      configuration.user,
      configuration.password.value
    )
    let action = "Logging in to \(host) as \(configuration.user)"
    do throws(BrokerError) {
      try check(reply, doing: action)
    } catch  where error.code == .timeout || error.code == .connectionLost {
      throw error.with(.cannotConnect)
    }
  }
}
