import Glibc

extension FleetLoop {
  /// How long an attempt to connect may take, in nanoseconds.
  private static let patience: Int64 = 15_000_000_000

  // MARK: Opening

  mutating func connect(_ number: Int) throws {
    trying += 1
    clients[number].phase = .connecting
    clients[number].dueAt = WallTime.now + Self.patience
    clients[number].generation &+= 1
    guard let socket = try ClientSocket.connect(port: port, client: number) else {
      return end(number, "nobody listens")
    }
    clients[number].socket = socket
    try fleet.poll.add(socket, tag: UInt64(clients[number].generation) << 32 | UInt64(number))
  }

  mutating func finishConnecting(_ number: Int) {
    guard ClientSocket.isConnected(clients[number].socket) else { return end(number, "nobody listens") }
    clients[number].phase = .upgrading
    send(dialect.requests[number], clients[number].socket)
  }

  private mutating func opened(_ number: Int) {
    trying -= 1
    report.open += 1
    report.lastOpenedAt = WallTime.now
    clients[number].phase = .open
    clients[number].failures = 0
    clients[number].isDismissed = false
    if let schedule, !schedule.greeting.isEmpty { send(schedule.greeting, clients[number].socket) }
  }

  func send(_ bytes: [UInt8], _ socket: Int32) {
    // A few hundred bytes fit into an idle socket; a broken one tells when it is read.
    _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  // MARK: Receiving

  /// Reads all there is.
  mutating func receive(_ number: Int, _ buffer: UnsafeMutableRawBufferPointer) {
    let generation = clients[number].generation
    while clients[number].generation == generation {
      let kept = clients[number].rest.count
      let count = recv(clients[number].socket, buffer.baseAddress?.advanced(by: kept), buffer.count - kept, 0)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else { return end(number, "the server closed the connection") }
      if kept > 0 {
        buffer.copyBytes(from: clients[number].rest)
        clients[number].rest = []
      }
      consume(number, UnsafeRawBufferPointer(rebasing: buffer[..<(kept + count)]))
      // Less than there was room for: nothing is left, and what comes later is a new event.
      if count < buffer.count - kept { return }
    }
  }

  private mutating func consume(_ number: Int, _ bytes: UnsafeRawBufferPointer) {
    let now = WallTime.now
    var position = 0
    if clients[number].phase == .upgrading {
      guard let end = ByteSearch.find("\r\n\r\n", in: bytes, 0..<bytes.count) else {
        clients[number].rest = Array(bytes)
        return
      }
      guard ByteSearch.begins(bytes, with: "HTTP/1.1 101") else {
        return self.end(number, String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self))
      }
      position = end + 4
      if dialect.handshake.isEmpty {
        opened(number)
      } else {
        clients[number].phase = .shakingHands
        send(dialect.handshake, clients[number].socket)
      }
    }
    while let frame = ServerFrame(in: bytes, at: position) {
      guard take(frame.opcode, UnsafeRawBufferPointer(rebasing: bytes[frame.payload]), number, now) else { return }
      position = frame.payload.upperBound
    }
    if position < bytes.count { clients[number].rest = Array(bytes[position...]) }
  }

  /// - Returns: False when the connection is over.
  private mutating func take(_ opcode: UInt8, _ payload: UnsafeRawBufferPointer, _ number: Int, _ now: Int64) -> Bool {
    switch opcode {
    case 8:
      send(ClientDialect.frame(.close, Array(payload.prefix(2))), clients[number].socket)
      end(number, "the server said goodbye")
      return false
    case 9:
      send(ClientDialect.frame(.pong, Array(payload.prefix(125))), clients[number].socket)
    case 1, 2:
      return take(message: payload, number, now)
    default:
      break
    }
    return true
  }

  /// - Returns: False when the connection is over.
  private mutating func take(message: UnsafeRawBufferPointer, _ number: Int, _ now: Int64) -> Bool {
    if clients[number].phase == .shakingHands {
      guard ByteSearch.begins(message, with: "{}\u{1e}") else {
        end(number, String(decoding: message, as: UTF8.self))
        return false
      }
      opened(number)
    } else if ByteSearch.begins(message, with: "{\"type\":7") {
      // Stock clients come back only with this permission, and not after an error.
      let whole = 0..<message.count
      let mayReturn = ByteSearch.find("\"allowReconnect\":true", in: message, whole) != nil
      clients[number].isDismissed = !mayReturn || ByteSearch.find("\"error\"", in: message, whole) != nil
    } else if !ByteSearch.begins(message, with: "{\"type\":6") {
      sink.take(message, client: number, at: now)
    }
    return true
  }

  // MARK: Ending

  /// Disconnects an open client that is no longer wanted.
  mutating func close(_ number: Int) {
    guard clients[number].phase == .open else { return }
    hangUp(number)
    report.open -= 1
    clients[number].phase = .off
  }

  /// A connection is lost or an attempt has failed: the client comes back, or is done.
  mutating func end(_ number: Int, _ reason: String) {
    hangUp(number)
    if clients[number].phase == .open {
      report.open -= 1
      report.lost += 1
    } else {
      trying -= 1
      report.failures += 1
      report.reason = reason
      clients[number].failures += 1
    }
    clients[number].phase = .off
    guard let schedule else { return }
    guard !clients[number].isDismissed, let pause = schedule.pause(afterFailures: clients[number].failures) else {
      report.givenUp += 1
      return
    }
    waiting += 1
    clients[number].phase = .waiting
    clients[number].dueAt = WallTime.now + pause
  }

  private mutating func hangUp(_ number: Int) {
    if clients[number].socket >= 0 { Glibc.close(clients[number].socket) }
    clients[number].socket = -1
    clients[number].generation &+= 1
    clients[number].rest = []
  }
}
