import CRabbitMQ

extension AMQPLink {
  /// Throws unless the broker agreed.
  func check(_ reply: amqp_rpc_reply_t, doing action: @autoclosure () -> String) throws(BrokerError) {
    switch reply.reply_type {
    case AMQP_RESPONSE_NORMAL:
      return
    case AMQP_RESPONSE_LIBRARY_EXCEPTION:
      throw .status(reply.library_error, doing: action())
    case AMQP_RESPONSE_SERVER_EXCEPTION:
      throw closeError(reply.reply, doing: action())
    default:
      throw BrokerError(.protocolViolation, "\(action()): the broker gave no answer.")
    }
  }

  func check(_ status: Int32, doing action: @autoclosure () -> String) throws(BrokerError) {
    guard status == AMQP_STATUS_OK.rawValue else { throw .status(status, doing: action()) }
  }

  /// The reason inside a `channel.close` or `connection.close`.
  func closeError(_ method: amqp_method_t, doing action: String) -> BrokerError {
    // Both methods have the same fields in the same order.
    guard let close = method.decoded?.assumingMemoryBound(to: amqp_channel_close_t.self).pointee else {
      return BrokerError(.protocolViolation, "\(action): the broker closed the connection.")
    }
    return .close(code: close.reply_code, text: close.reply_text.text, doing: action)
  }
}
