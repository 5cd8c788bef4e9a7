import Broker
import CRabbitMQ
import Glibc
import LocalStack

/// librabbitmq in a plain blocking loop: what a program that does nothing else reaches with the library.
///
/// One channel, persistent messages to a queue by the default exchange.
enum RabbitLoop {
  /// - Returns: Messages confirmed per second, with at most `window` unconfirmed.
  static func publish(to queue: String, server: RabbitMQServer, count: Int, size: Int, window: Int) async throws
    -> Double
  {
    let rates = try await Threads.run { _ in
      try withConnection(to: server) { connection in
        amqp_confirm_select(connection, 1)
        let body = [UInt8](repeating: 120, count: size)
        let started = WallTime.now
        var sent = 0
        var confirmed = 0
        while confirmed < count {
          while sent < count, sent - confirmed < window {
            try publish(body, to: queue, on: connection)
            sent += 1
          }
          confirmed = max(confirmed, try nextConfirm(connection))
        }
        return Double(count) / WallTime.seconds(from: started, to: WallTime.now)
      }
    }
    return rates[0]
  }

  /// - Returns: Messages received per second, acknowledging a quarter of the window at a time.
  static func consume(from queue: String, server: RabbitMQServer, count: Int, window: Int) async throws -> Double {
    let rates = try await Threads.run { _ in
      try withConnection(to: server) { connection in
        amqp_basic_qos(connection, 1, 0, UInt16(window), 0)
        let started = WallTime.now
        _ = queue.withBytes { amqp_basic_consume(connection, 1, $0, amqp_empty_bytes, 0, 0, 0, amqp_empty_table) }
        for received in 1...count {
          var envelope = amqp_envelope_t()
          amqp_maybe_release_buffers(connection)
          let reply = amqp_consume_message(connection, &envelope, nil, 0)
          guard reply.reply_type == AMQP_RESPONSE_NORMAL else { throw BenchError("librabbitmq's loop got no message") }
          if received % (window / 4) == 0 || received == count {
            amqp_basic_ack(connection, 1, envelope.delivery_tag, 1)
          }
          amqp_destroy_envelope(&envelope)
        }
        return Double(count) / WallTime.seconds(from: started, to: WallTime.now)
      }
    }
    return rates[0]
  }

  private static func publish(_ body: [UInt8], to queue: String, on connection: amqp_connection_state_t) throws {
    var properties = amqp_basic_properties_t()
    properties._flags = amqp_flags_t(AMQP_BASIC_DELIVERY_MODE_FLAG)
    properties.delivery_mode = 2
    let code = queue.withBytes { key in
      body.withUnsafeBytes { bytes in
        // Only read.
        let content = amqp_bytes_t(len: bytes.count, bytes: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        return amqp_basic_publish(connection, 1, amqp_empty_bytes, key, 0, 0, &properties, content)
      }
    }
    guard code == 0 else { throw BenchError("librabbitmq's loop: \(String(cString: amqp_error_string2(code)))") }
  }

  /// Waits for the next confirm, whose tag is answered; 0 for any other frame.
  private static func nextConfirm(_ connection: amqp_connection_state_t) throws -> Int {
    var frame = amqp_frame_t()
    amqp_maybe_release_buffers(connection)
    let code = amqp_simple_wait_frame(connection, &frame)
    guard code == 0 else { throw BenchError("librabbitmq's loop: \(String(cString: amqp_error_string2(code)))") }
    guard Int32(frame.frame_type) == AMQP_FRAME_METHOD, frame.payload.method.id == BELFRY_AMQP_BASIC_ACK.rawValue else {
      return 0
    }
    return Int(frame.payload.method.decoded.assumingMemoryBound(to: amqp_basic_ack_t.self).pointee.delivery_tag)
  }

  private static func withConnection<Result>(
    to server: RabbitMQServer,
    _ body: (amqp_connection_state_t) throws -> Result
  ) throws -> Result {
    guard let connection = amqp_new_connection() else { throw BenchError("librabbitmq gave no connection") }
    defer { amqp_destroy_connection(connection) }
    let socket = amqp_tcp_socket_new(connection)
    guard amqp_socket_open(socket, "127.0.0.1", Int32(server.port)) == 0 else {
      throw BenchError("RabbitMQ does not listen")
    }
    var none = amqp_empty_table
    let reply = belfry_amqp_login_plain(connection, "/", 0, 131_072, 0, &none, server.user, server.password)
    guard reply.reply_type == AMQP_RESPONSE_NORMAL else { throw BenchError("RabbitMQ refused the log-in") }
    amqp_channel_open(connection, 1)
    let result = try body(connection)
    _ = amqp_connection_close(connection, 200)
    return result
  }
}

extension String {
  /// Lends the text as librabbitmq takes it; it is only read.
  fileprivate func withBytes<Result>(_ body: (amqp_bytes_t) throws -> Result) rethrows -> Result {
    try Array(utf8).withUnsafeBytes {
      try body(amqp_bytes_t(len: $0.count, bytes: UnsafeMutableRawPointer(mutating: $0.baseAddress)))
    }
  }
}
