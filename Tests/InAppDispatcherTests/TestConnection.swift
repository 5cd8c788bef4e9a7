import NIOCore
import NIOPosix

/// A TCP connection as a client's bare hands: bytes out, parsed pieces in, and a deadline on every wait.
final class TestConnection: Sendable {
  struct TimedOut: Error {}
  struct Closed: Error {}

  struct Response: Sendable {
    var status: Int
    var head: String
    var body: String
  }

  struct Frame: Sendable, Equatable {
    var opcode: UInt8
    var payload: [UInt8]
    var text: String { String(decoding: payload, as: UTF8.self) }
  }

  private let channel: any Channel
  private let inbox: NIOLoopBound<Inbox>

  private init(channel: any Channel, inbox: NIOLoopBound<Inbox>) {
    self.channel = channel
    self.inbox = inbox
  }

  /// - Parameter reads: false for a client that never reads.
  static func open(port: Int, reads: Bool = true) async throws -> TestConnection {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: reads)
      .channelOption(.socketOption(.so_rcvbuf), value: reads ? 1_048_576 : 4_096)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Inbox()) }
      }
      .connect(host: "127.0.0.1", port: port).get()
    let inbox = try await channel.eventLoop.submit {
      NIOLoopBound(try channel.pipeline.syncOperations.handler(type: Inbox.self), eventLoop: channel.eventLoop)
    }.get()
    return TestConnection(channel: channel, inbox: inbox)
  }

  func send(_ bytes: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func close() async {
    do { try await channel.close() } catch {}
  }

  // MARK: HTTP

  func request(
    _ method: String,
    _ target: String,
    token: String? = nil,
    headers: [String: String] = [:],
    body: String = ""
  ) async throws -> Response {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: hub.test\r\nContent-Length: \(body.utf8.count)\r\n"
    if let token { text += "Authorization: Bearer \(token)\r\n" }
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    try await send(text + "\r\n" + body)
    return try await response()
  }

  func upgrade(_ target: String, token: String? = nil, headers: [String: String] = [:]) async throws -> Response {
    var text = "GET \(target) HTTP/1.1\r\nHost: hub.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    text += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    text += "Sec-WebSocket-Extensions: permessage-deflate\r\n"
    if let token { text += "Authorization: Bearer \(token)\r\n" }
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    try await send(text + "\r\n")
    return try await response()
  }

  private func response() async throws -> Response {
    try await wait { buffer in
      let view = buffer.readableBytesView
      guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      let head = String(decoding: view[..<end.lowerBound], as: UTF8.self)
      var length = 0
      for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-length:") {
        length = Int(line.drop { $0 != ":" }.dropFirst().filter { $0 != " " }) ?? 0
      }
      guard view.endIndex - end.upperBound >= length else { return nil }
      let body = String(decoding: view[end.upperBound..<(end.upperBound + length)], as: UTF8.self)
      buffer.moveReaderIndex(to: end.upperBound + length)
      return Response(status: Int(head.split(separator: " ")[1]) ?? 0, head: head, body: body)
    }
  }

  // MARK: WebSocket

  func sendFrame(_ text: String, opcode: UInt8 = 1, isFinal: Bool = true, isMasked: Bool = true) async throws {
    let payload = Array(text.utf8)
    var frame = [(isFinal ? 0x80 : 0) | opcode]
    let mask: UInt8 = isMasked ? 0x80 : 0
    if payload.count < 126 {
      frame.append(mask | UInt8(payload.count))
    } else {
      frame += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    }
    let key: [UInt8] = [1, 2, 3, 4]
    if isMasked { frame += key }
    frame += payload.enumerated().map { isMasked ? $1 ^ key[$0 % 4] : $1 }
    try await send(frame)
  }

  func frame() async throws -> Frame {
    try await wait { buffer in
      let view = buffer.readableBytesView
      guard view.count >= 2 else { return nil }
      let first = view[view.startIndex]
      var length = Int(view[view.startIndex + 1])
      var start = view.startIndex + 2
      if length == 126 {
        guard view.count >= 4 else { return nil }
        length = Int(view[start]) << 8 | Int(view[start + 1])
        start += 2
      }
      guard view.endIndex - start >= length else { return nil }
      let payload = Array(view[start..<(start + length)])
      buffer.moveReaderIndex(to: start + length)
      return Frame(opcode: first & 0x0F, payload: payload)
    }
  }

  /// The next hub message, without its separator.
  func message() async throws -> String {
    let frame = try await frame()
    guard frame.opcode == 1, frame.payload.last == 0x1E else { throw Closed() }
    return String(frame.text.dropLast())
  }

  /// Waits until the server closes the connection.
  func waitForEnd() async throws {
    let channel = channel
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await channel.closeFuture.get() }
      group.addTask {
        try await Task.sleep(for: .seconds(10))
        throw TimedOut()
      }
      try await group.next()
      group.cancelAll()
    }
  }

  private func wait<Piece: Sendable>(
    _ parse: @escaping @Sendable (inout ByteBuffer) -> Piece?
  ) async throws -> Piece {
    let inbox = inbox
    let eventLoop = channel.eventLoop
    return try await eventLoop.flatSubmit {
      let promise = eventLoop.makePromise(of: Piece.self)
      let timeout = eventLoop.scheduleTask(in: .seconds(10)) {
        inbox.value.waiter = nil
        promise.fail(TimedOut())
      }
      inbox.value.waiter = { buffer, isClosed in
        if let piece = parse(&buffer) {
          timeout.cancel()
          promise.succeed(piece)
          return true
        }
        if isClosed {
          timeout.cancel()
          promise.fail(Closed())
        }
        return isClosed
      }
      inbox.value.check()
      return promise.futureResult
    }.get()
  }
}

/// Collects what arrives until somebody who waits can make something of it.
private final class Inbox: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private var buffer = ByteBuffer()
  private var isClosed = false
  var waiter: ((inout ByteBuffer, Bool) -> Bool)?

  func check() {
    guard let waiter, waiter(&buffer, isClosed) else { return }
    self.waiter = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    buffer.writeBuffer(&bytes)
    check()
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosed = true
    check()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
