import NIOCore
import NIOPosix

/// A client that sends what it likes, byte for byte, and hears what comes back until the server closes.
struct RawClient {
  private let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

  /// Connects to this machine, runs `body`, closes.
  static func with<Result>(port: Int, _ body: (RawClient) async throws -> Result) async throws -> Result {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { try await body(RawClient(inbound: $0, outbound: $1)) }
  }

  /// Keeps a connection open that has been answered once, while `body` runs.
  static func holding<Result>(port: Int, _ body: () async throws -> Result) async throws -> Result {
    try await with(port: port) { client in
      try await client.send("GET / HTTP/1.1\r\nHost: belfry\r\n\r\n")
      var parts = client.inbound.makeAsyncIterator()
      var text = ""
      while !text.hasSuffix("here"), let part = try await parts.next() { text += String(buffer: part) }
      return try await body()
    }
  }

  func send(_ text: String) async throws {
    try await outbound.write(ByteBuffer(string: text))
  }

  /// Everything until the server closes. A reset ends it as well.
  func untilClosed() async -> String {
    var text = ""
    do {
      for try await part in inbound { text += String(buffer: part) }
    } catch {}
    return text
  }
}
