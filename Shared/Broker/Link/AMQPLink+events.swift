import CRabbitMQ
import Foundation

extension AMQPLink {
  /// The next thing the broker said; nil if it says nothing more within `wait`. Sends heartbeats that are due and
  /// notices a broker that fell silent.
  ///
  /// The frames of a message are put together here: `amqp_consume_message` would block for the rest of one.
  func nextEvent(waiting wait: Duration = .zero) throws(BrokerError) -> LinkEvent? {
    var frame = amqp_frame_t()
    var timeout = wait.timeval
    while true {
      amqp_maybe_release_buffers(connection)
      let status = amqp_simple_wait_frame_noblock(connection, &frame, &timeout)
      if status == AMQP_STATUS_TIMEOUT.rawValue { return nil }
      guard status == AMQP_STATUS_OK.rawValue else {
        throw BrokerError.status(status, doing: "The connection to \(host) broke").with(.connectionLost)
      }
      if let event = try event(of: frame) { return event }
    }
  }

  private func event(of frame: amqp_frame_t) throws(BrokerError) -> LinkEvent? {
    switch Int32(frame.frame_type) {
    case AMQP_FRAME_METHOD: return event(of: frame.payload.method)
    case AMQP_FRAME_HEADER: return try begin(frame)
    case AMQP_FRAME_BODY: return try append(frame.payload.body_fragment)
    default: return nil
    }
  }

  private func event(of method: amqp_method_t) -> LinkEvent? {
    guard let decoded = method.decoded else { return nil }
    func fields<T>(_ type: T.Type) -> T { decoded.assumingMemoryBound(to: type).pointee }
    switch belfry_amqp_method(rawValue: method.id) {
    case BELFRY_AMQP_BASIC_DELIVER:
      let it = fields(amqp_basic_deliver_t.self)
      content = ContentAssembly(
        .delivery(
          tag: it.delivery_tag,
          redelivered: it.redelivered != 0,
          exchange: it.exchange.text,
          routingKey: it.routing_key.text
        )
      )
    case BELFRY_AMQP_BASIC_GET_OK:
      let it = fields(amqp_basic_get_ok_t.self)
      content = ContentAssembly(
        .delivery(
          tag: it.delivery_tag,
          redelivered: it.redelivered != 0,
          exchange: it.exchange.text,
          routingKey: it.routing_key.text
        )
      )
    case BELFRY_AMQP_BASIC_GET_EMPTY:
      return .queueIsEmpty
    case BELFRY_AMQP_BASIC_RETURN:
      content = ContentAssembly(.returned(reason: fields(amqp_basic_return_t.self).reply_text.text))
    case BELFRY_AMQP_BASIC_ACK:
      let it = fields(amqp_basic_ack_t.self)
      return .confirmed(tag: it.delivery_tag, multiple: it.multiple != 0)
    case BELFRY_AMQP_BASIC_NACK:
      let it = fields(amqp_basic_nack_t.self)
      return .refused(tag: it.delivery_tag, multiple: it.multiple != 0)
    case BELFRY_AMQP_BASIC_CANCEL:
      return .consumerCancelled
    case BELFRY_AMQP_CONNECTION_BLOCKED:
      return .blocked(reason: fields(amqp_connection_blocked_t.self).reason.text)
    case BELFRY_AMQP_CONNECTION_UNBLOCKED:
      return .unblocked
    case BELFRY_AMQP_CHANNEL_CLOSE, BELFRY_AMQP_CONNECTION_CLOSE:
      return .closed(closeError(method, doing: "The connection to \(host) ended"))
    default:
      break
    }
    return nil
  }

  private func begin(_ frame: amqp_frame_t) throws(BrokerError) -> LinkEvent? {
    guard var begun = content, let decoded = frame.payload.properties.decoded else {
      throw BrokerError(.protocolViolation, "The broker sent a message header out of order.")
    }
    begun.message = BrokerMessage(decoded.assumingMemoryBound(to: amqp_basic_properties_t.self).pointee)
    if let sequence = begun.message.headers.removeValue(forKey: sequenceHeader)?.integerValue {
      begun.sequence = UInt64(bitPattern: sequence)
    }
    begun.missing = frame.payload.properties.body_size
    // A message of several frames is collected in place; one frame becomes the body as it is.
    if begun.missing > UInt64(maximumFrame) {
      begun.message.body.reserveCapacity(Int(min(begun.missing, Self.maximumReserve)))
    }
    content = begun
    return begun.missing == 0 ? finish() : nil
  }

  /// Bytes; a larger body grows as it comes, whatever its header says.
  private static let maximumReserve: UInt64 = 16 * 1_024 * 1_024

  private func append(_ fragment: amqp_bytes_t) throws(BrokerError) -> LinkEvent? {
    guard let missing = content?.missing, missing >= UInt64(fragment.len) else {
      throw BrokerError(.protocolViolation, "The broker sent a message body out of order.")
    }
    content?.message.body.append(contentsOf: fragment.buffer)
    content?.missing = missing - UInt64(fragment.len)
    return content?.missing == 0 ? finish() : nil
  }

  private func finish() -> LinkEvent? {
    defer { content = nil }
    return content?.event(generation: generation)
  }
}
