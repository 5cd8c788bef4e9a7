import CRabbitMQ

extension BrokerError {
  /// Turns a status of the library into an error.
  static func status(_ status: Int32, doing action: String) -> BrokerError {
    let detail = String(cString: amqp_error_string2(status))
    let name = amqp_status_enum_(rawValue: status)
    let code: Code =
      switch name {
      case AMQP_STATUS_TIMEOUT: .timeout
      case AMQP_STATUS_SSL_ERROR, AMQP_STATUS_SSL_HOSTNAME_VERIFY_FAILED, AMQP_STATUS_SSL_PEER_VERIFY_FAILED,
        AMQP_STATUS_SSL_CONNECTION_FAILED:
        .tls
      case AMQP_STATUS_CONNECTION_CLOSED, AMQP_STATUS_SOCKET_ERROR, AMQP_STATUS_SOCKET_CLOSED,
        AMQP_STATUS_HEARTBEAT_TIMEOUT, AMQP_STATUS_TCP_ERROR:
        .connectionLost
      case AMQP_STATUS_HOSTNAME_RESOLUTION_FAILED: .cannotConnect
      default: .protocolViolation
      }
    return BrokerError(code, "\(action): \(detail)", detail: "librabbitmq status \(status)")
  }

  /// Turns what `channel.close` or `connection.close` says into an error. The broker's text holds no password.
  /// https://www.rabbitmq.com/amqp-0-9-1-reference#constants
  static func close(code: UInt16, text: String, doing action: String) -> BrokerError {
    let kind: Code =
      switch code {
      case 311: .messageTooLarge
      case 320, 541: .connectionLost
      case 403, 530: .accessRefused
      case 404: .notFound
      case 405: .resourceLocked
      case 406: .preconditionFailed
      default: .protocolViolation
      }
    return BrokerError(kind, "\(action): the broker refused: \(text)", detail: "AMQP reply code \(code)")
  }

  /// The same error with another code, e.g. because a time-out while connecting is a failure to connect.
  func with(_ code: Code) -> BrokerError {
    BrokerError(code, message, detail: detail)
  }
}
