import CRabbitMQ
import Foundation

extension AMQPLink {
  /// Confirms for everything published from now on. Blocks for a round trip.
  func enableConfirms() throws(BrokerError) {
    _ = amqp_confirm_select(connection, Self.channel)
    try check(amqp_get_rpc_reply(connection), doing: "Enabling publisher confirms")
  }

  /// Adds one message to those that `writePublished` writes; over TLS, whose writing is the library's own, writes it.
  /// After an error the connection is unusable.
  func publish(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool,
    sequence: UInt64
  ) throws(BrokerError) {
    defer { arena.recycle() }
    var properties = message.properties(in: arena, sequence: mandatory ? sequence : nil)
    var method = amqp_basic_publish_t()
    method.exchange = arena.bytes(exchange)
    method.routing_key = arena.bytes(routingKey)
    method.mandatory = mandatory ? 1 : 0
    let status = message.body.withUnsafeBytes { body in
      guard usesTLS else { return published.append(&method, &properties, body, channel: Self.channel) }
      return amqp_basic_publish(
        connection,
        Self.channel,
        method.exchange,
        method.routing_key,
        method.mandatory,
        0,
        &properties,
        amqp_bytes_t(len: body.count, bytes: UnsafeMutableRawPointer(mutating: body.baseAddress))
      )
    }
    try check(status, doing: "Publishing")
  }

  /// Writes what was published since the last call, whole: between two calls the library may write frames of its own,
  /// e.g. heartbeats. Waits for a slow broker no longer than two heartbeats.
  func writePublished() throws(BrokerError) {
    guard !published.bytes.isEmpty else { return }
    let deadline = ContinuousClock.now + heartbeat * 2
    while !published.bytes.isEmpty {
      let count = send(descriptor, published.bytes.baseAddress, published.bytes.count, Int32(MSG_NOSIGNAL))
      if count > 0 {
        published.removeFirst(count)
      } else if count < 0, errno == EAGAIN {
        try waitUntilWritable(deadline)
      } else if count == 0 || errno != EINTR {
        throw BrokerError(.connectionLost, "Publishing: the broker ended the connection.", detail: "errno \(errno)")
      }
    }
  }

  private func waitUntilWritable(_ deadline: ContinuousClock.Instant) throws(BrokerError) {
    var descriptor = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let left = max(.zero, deadline - .now).milliseconds
    guard poll(&descriptor, 1, Int32(clamping: left)) != 0 else {
      throw BrokerError(.connectionLost, "Publishing: the broker takes nothing, for two heartbeats.")
    }
  }
}
