import CRabbitMQ

extension AMQPLink {
  /// Declares everything, one round trip each. Blocks.
  func declare(_ topology: BrokerTopology) throws(BrokerError) {
    for exchange in topology.exchanges { try declare(exchange) }
    for queue in topology.queues { try declare(queue) }
    for binding in topology.bindings { try bind(binding) }
    for binding in topology.retiredBindings { try unbind(binding) }
  }

  private func declare(_ exchange: BrokerTopology.Exchange) throws(BrokerError) {
    defer { arena.recycle() }
    _ = amqp_exchange_declare(
      connection,
      Self.channel,
      arena.bytes(exchange.name),
      arena.bytes(exchange.kind.rawValue),
      0,
      exchange.durable ? 1 : 0,
      0,
      0,
      amqp_empty_table
    )
    try checkDeclaration(of: "exchange", exchange.name)
  }

  private func declare(_ queue: BrokerTopology.Queue) throws(BrokerError) {
    defer { arena.recycle() }
    _ = amqp_queue_declare(
      connection,
      Self.channel,
      arena.bytes(queue.name),
      0,
      queue.durable ? 1 : 0,
      queue.exclusive ? 1 : 0,
      queue.autoDelete ? 1 : 0,
      arena.table(queue.arguments)
    )
    try checkDeclaration(of: "queue", queue.name)
  }

  private func bind(_ binding: BrokerTopology.Binding) throws(BrokerError) {
    defer { arena.recycle() }
    _ = amqp_queue_bind(
      connection,
      Self.channel,
      arena.bytes(binding.queue),
      arena.bytes(binding.exchange),
      arena.bytes(binding.key),
      amqp_empty_table
    )
    let ends = "queue \(binding.queue) to exchange \(binding.exchange)"
    try check(amqp_get_rpc_reply(connection), doing: "Binding \(ends) with key \"\(binding.key)\"")
  }

  private func unbind(_ binding: BrokerTopology.Binding) throws(BrokerError) {
    defer { arena.recycle() }
    _ = amqp_queue_unbind(
      connection,
      Self.channel,
      arena.bytes(binding.queue),
      arena.bytes(binding.exchange),
      arena.bytes(binding.key),
      amqp_empty_table
    )
    let ends = "queue \(binding.queue) from exchange \(binding.exchange)"
    try check(amqp_get_rpc_reply(connection), doing: "Unbinding \(ends) with key \"\(binding.key)\"")
  }

  private func checkDeclaration(of kind: String, _ name: String) throws(BrokerError) {
    let reply = amqp_get_rpc_reply(connection)
    do throws(BrokerError) {
      try check(reply, doing: "Declaring \(kind) \(name)")
    } catch  where error.code == .preconditionFailed {
      throw BrokerError(
        .preconditionFailed,
        "The \(kind) \(name) exists on the broker with other properties than Belfry declares. Drain it and delete it"
          + " (rabbitmqctl delete_queue for a queue), and it is made anew; or put the old setting back. \(error)",
        detail: error.debugDescription
      )
    }
  }

  /// Messages ready and consumers of a queue. Blocks; an unknown queue is ``BrokerError/Code/notFound``.
  func inspect(queue: String) throws(BrokerError) -> BrokerQueueStatus {
    defer { arena.recycle() }
    let answer = amqp_queue_declare(connection, Self.channel, arena.bytes(queue), 1, 0, 0, 0, amqp_empty_table)
    try check(amqp_get_rpc_reply(connection), doing: "Inspecting queue \(queue)")
    guard let answer else { throw BrokerError(.protocolViolation, "The broker gave no answer about queue \(queue).") }
    return BrokerQueueStatus(
      ready: Int(answer.pointee.message_count),
      consumers: Int(answer.pointee.consumer_count)
    )
  }

  /// Drops what is ready in the queue; returns how many messages that were. Blocks.
  func purge(queue: String) throws(BrokerError) -> Int {
    defer { arena.recycle() }
    let answer = amqp_queue_purge(connection, Self.channel, arena.bytes(queue))
    try check(amqp_get_rpc_reply(connection), doing: "Purging queue \(queue)")
    return answer.map { Int($0.pointee.message_count) } ?? 0
  }

  /// Deletes the queue with what is in it. Blocks. A queue that doesn't exist is fine.
  func delete(queue: String) throws(BrokerError) {
    defer { arena.recycle() }
    _ = amqp_queue_delete(connection, Self.channel, arena.bytes(queue), 0, 0)
    try check(amqp_get_rpc_reply(connection), doing: "Deleting queue \(queue)")
  }
}
