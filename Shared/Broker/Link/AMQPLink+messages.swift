import CRabbitMQ

extension AMQPLink {
  /// Deliveries arrive as events from now on, at most `prefetch` of them unacknowledged. Blocks for two round trips.
  func consume(queue: String, prefetch: Int) throws(BrokerError) {
    defer { arena.recycle() }
    // Per consumer: quorum queues know no global prefetch.
    _ = amqp_basic_qos(connection, Self.channel, 0, UInt16(clamping: max(1, prefetch)), 0)
    try check(amqp_get_rpc_reply(connection), doing: "Setting the prefetch")
    _ = amqp_basic_consume(
      connection,
      Self.channel,
      arena.bytes(queue),
      arena.bytes(Self.consumerTag),
      0,
      0,
      0,
      amqp_empty_table
    )
    try check(amqp_get_rpc_reply(connection), doing: "Consuming from queue \(queue)")
  }

  func acknowledge(_ acknowledgement: Acknowledgement) throws(BrokerError) {
    try check(
      amqp_basic_ack(connection, Self.channel, acknowledgement.tag, acknowledgement.multiple ? 1 : 0),
      doing: "Acknowledging"
    )
  }

  func reject(tag: UInt64, requeue: Bool) throws(BrokerError) {
    try check(amqp_basic_reject(connection, Self.channel, tag, requeue ? 1 : 0), doing: "Rejecting")
  }

  /// Asks the broker to deliver nothing more. What is on its way still arrives.
  func cancelConsumer() throws(BrokerError) {
    defer { arena.recycle() }
    var method = amqp_basic_cancel_t(consumer_tag: arena.bytes(Self.consumerTag), nowait: 1)
    try send(BELFRY_AMQP_BASIC_CANCEL, &method, doing: "Cancelling the consumer")
  }

  /// Asks for one message; the answer is a `delivered` or `queueIsEmpty` event.
  func get(queue: String) throws(BrokerError) {
    defer { arena.recycle() }
    var method = amqp_basic_get_t(ticket: 0, queue: arena.bytes(queue), no_ack: 0)
    try send(BELFRY_AMQP_BASIC_GET, &method, doing: "Getting a message from queue \(queue)")
  }

  private func send<Method>(
    _ name: belfry_amqp_method,
    _ method: inout Method,
    doing action: @autoclosure () -> String
  ) throws(BrokerError) {
    let status = withUnsafeMutablePointer(to: &method) {
      amqp_send_method(connection, Self.channel, amqp_method_number_t(name.rawValue), $0)
    }
    try check(status, doing: action())
  }
}
