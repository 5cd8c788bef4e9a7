import Glibc

/// Asks whether a broker speaks AMQP.
enum AMQPProbe {
  /// Whether a broker on 127.0.0.1 answers AMQP's greeting with its first method, `connection.start`.
  ///
  /// Blocks for a second at most; the broker answers at once when it listens.
  static func accepts(port: Int) -> Bool {
    guard let descriptor = LoopbackSocket.connect(port: port, timeout: 1) else { return false }
    defer { close(descriptor) }
    guard LoopbackSocket.send(Array("AMQP".utf8) + [0, 0, 9, 1], on: descriptor) else { return false }
    var first: UInt8 = 0
    // A method frame begins with 1; a refusal is the greeting sent back ("A").
    return recv(descriptor, &first, 1, 0) == 1 && first == 1
  }
}
