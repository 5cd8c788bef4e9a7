import NIOCore
import NIOPosix

/// A client that sends what it likes, byte for byte, and hears what comes back until the server closes.
public struct RawClient: Sendable {
  private let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

  /// Connects to this machine, runs `body`, closes.
  ///
  /// - Parameter receiveBuffer: Bytes of the kernel's buffer; with one the client takes from it only what it reads itself.
  public static func with<Result>(
    port: Int,
    receiveBuffer: Int? = nil,
    _ body: (RawClient) async throws -> Result
  ) async throws -> Result {
    var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
    if let receiveBuffer { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: receiveBuffer) }
    let ahead = receiveBuffer == nil ? 10 : 1
    let channel = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
      channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
          wrappingChannelSynchronously: channel,
          configuration: .init(backPressureStrategy: .init(lowWatermark: min(2, ahead), highWatermark: ahead))
        )
      }
    }
    return try await channel.executeThenClose { try await body(RawClient(inbound: $0, outbound: $1)) }
  }

  /// Keeps a connection open that has been answered once with a body that ends in `end`, while `body` runs.
  public static func holding<Result>(
    port: Int,
    path: String = "/",
    until end: String = "here",
    _ body: () async throws -> Result
  ) async throws -> Result {
    try await with(port: port) { client in
      try await client.send("GET \(path) HTTP/1.1\r\nHost: belfry\r\n\r\n")
      var parts = client.inbound.makeAsyncIterator()
      var text = ""
      while !text.hasSuffix(end), let part = try await parts.next() { text += String(buffer: part) }
      return try await body()
    }
  }

  /// - Throws: Once the server has closed.
  public func send(_ text: String) async throws {
    try await outbound.write(ByteBuffer(string: text))
  }

  /// Sends a request that ends the connection, and answers all that comes; empty where the server closed before it read any.
  public func answer(to request: String) async -> String {
    // A server may refuse a connection before the client's first byte.
    try? await send(request)
    return await untilClosed()
  }

  /// Everything until the server closes. A reset ends it as well.
  public func untilClosed() async -> String {
    var text = ""
    do {
      for try await part in inbound { text += String(buffer: part) }
    } catch {}
    return text
  }

  /// How many bytes come until the server closes, or resets; `pause` is awaited whenever `step` more have been read.
  public func countUntilClosed(step: Int, pause: () async -> Void) async -> Int {
    var count = 0
    var next = step
    do {
      for try await part in inbound {
        count += part.readableBytes
        if count >= next {
          next = count + step
          await pause()
        }
      }
    } catch {}
    return count
  }
}
