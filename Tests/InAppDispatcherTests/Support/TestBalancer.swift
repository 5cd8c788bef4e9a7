import NIOCore
import NIOPosix

/// A balancer of TCP connections (level 4): each goes to the first node that takes it, and stays there.
///
/// It knows nothing of HTTP, nor of a node's health beyond whether it listens.
struct TestBalancer {
  let port: Int

  static func run(_ nodes: [TestHub], _ body: (TestBalancer) async throws -> Void) async throws {
    let ports = nodes.map(\.port)
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { client in
        Self.connect(on: client.eventLoop, toFirstOf: ports[...]).flatMapThrowing { node in
          try client.pipeline.syncOperations.addHandler(Relay(to: node))
          try node.pipeline.syncOperations.addHandler(Relay(to: client))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    do {
      guard let port = listener.localAddress?.port else { throw TestConnection.Closed() }
      try await body(TestBalancer(port: port))
    } catch {
      try await listener.close()
      throw error
    }
    try await listener.close()
  }

  private static func connect(
    on eventLoop: any EventLoop,
    toFirstOf ports: ArraySlice<Int>
  ) -> EventLoopFuture<any Channel> {
    guard let port = ports.first else { return eventLoop.makeFailedFuture(TestConnection.Closed()) }
    return ClientBootstrap(group: eventLoop).connect(host: "127.0.0.1", port: port)
      .flatMapError { _ in Self.connect(on: eventLoop, toFirstOf: ports.dropFirst()) }
  }
}

/// Hands what comes on one side to the other, its end included.
private final class Relay: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let other: any Channel

  init(to other: any Channel) {
    self.other = other
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    other.writeAndFlush(unwrapInboundIn(data), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    other.close(promise: nil)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
