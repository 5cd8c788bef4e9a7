import Foundation
import NIOCore
import NIOPosix
import TestSupport

/// A TCP connection as a client's bare hands: bytes out, parsed pieces in, and a deadline on every wait.
final class TestConnection: Sendable {
  struct TimedOut: Error {}
  struct Closed: Error {}
  /// Something came, but not what was waited for.
  struct Unexpected: Error {
    let what: String
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
    do {
      let inbox = try await channel.eventLoop.submit {
        NIOLoopBound(try channel.pipeline.syncOperations.handler(type: Inbox.self), eventLoop: channel.eventLoop)
      }.get()
      return TestConnection(channel: channel, inbox: inbox)
    } catch ChannelPipelineError.notFound {
      // The server was quicker to close it.
      throw Closed()
    }
  }

  /// The client's end.
  var localPort: Int? { channel.localAddress?.port }

  func send(_ bytes: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  /// Sends what the server may refuse before it has come.
  func trySending(_ body: (TestConnection) async throws -> Void) async {
    do { try await body(self) } catch {}
  }

  /// Lets what arrives wait in the system's buffers, or takes it.
  func setReading(_ reads: Bool) async throws { try await channel.setOption(.autoRead, value: reads).get() }

  func close() async {
    do { try await channel.close() } catch {}
  }

  /// Ends the connection with a reset, as a client's crash or a lost network does.
  func reset() async throws {
    guard let socket = channel as? any SocketOptionProvider else { throw Unexpected(what: "no socket") }
    do {
      try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    } catch {
      // The server was quicker.
    }
    await close()
  }

  /// Whether nothing has arrived that nobody has taken.
  func hasNothing() async throws -> Bool {
    let inbox = inbox
    return try await channel.eventLoop.submit { inbox.value.isEmpty }.get()
  }

  /// Waits until the server closes the connection.
  func waitForEnd() async throws {
    let channel = channel
    try await withDeadline(.seconds(30)) { try await channel.closeFuture.get() }
  }

  /// Waits until `parse` can make something of what has arrived.
  func wait<Piece: Sendable>(
    _ parse: @escaping @Sendable (inout ByteBuffer) -> Piece?
  ) async throws -> Piece {
    let inbox = inbox
    let eventLoop = channel.eventLoop
    return try await eventLoop.flatSubmit {
      let promise = eventLoop.makePromise(of: Piece.self)
      let timeout = eventLoop.scheduleTask(in: .seconds(30)) {
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

  var isEmpty: Bool { buffer.readableBytes == 0 }

  func check() {
    guard let waiter, waiter(&buffer, isClosed) else { return }
    self.waiter = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if isEmpty { buffer.clear() }
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
