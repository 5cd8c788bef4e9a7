import NIOCore
import NIOPosix
import Synchronization

/// The network between a client and a server: a port whose connections go on to the server's, as long as the line lets them.
package final class TestLine: Sendable {
  package enum Condition: Sendable, Equatable {
    case whole
    /// Connections end, and new ones end at once.
    case cut
    /// Nothing comes through, and nobody is told. What is sent meanwhile comes once the line is whole again.
    case silent
    /// All that is sent comes so much later.
    case slow(Duration)
  }

  private struct State {
    var condition = Condition.whole
    /// Both ends of what is connected.
    var channels: [ObjectIdentifier: any Channel] = [:]
    var connections = 0
    var port = 0
  }

  private let target: Int
  private let state = Mutex(State())

  private init(to target: Int) {
    self.target = target
  }

  package var url: String { "http://127.0.0.1:\(state.withLock { $0.port })" }

  /// How often somebody has connected, or tried to.
  package var connections: Int { state.withLock { $0.connections } }

  package var condition: Condition {
    get { state.withLock { $0.condition } }
    set {
      let channels = state.withLock { state in
        state.condition = newValue
        return Array(state.channels.values)
      }
      for channel in channels {
        if newValue == .cut {
          channel.close(promise: nil)
        } else {
          channel.pipeline.fireUserInboundEventTriggered(Changed())
        }
      }
    }
  }

  /// Runs a test with a line to a port of 127.0.0.1.
  package static func with(to target: Int, _ body: (TestLine) async throws -> Void) async throws {
    let line = TestLine(to: target)
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .childChannelInitializer { line.connect($0) }
      .bind(host: "127.0.0.1", port: 0).get()
    line.state.withLock { $0.port = listener.localAddress?.port ?? 0 }
    do {
      try await body(line)
    } catch {
      line.condition = .cut
      try await listener.close()
      throw error
    }
    line.condition = .cut
    try await listener.close()
  }

  /// The line has another condition.
  fileprivate struct Changed: Sendable {}

  private struct IsCut: Error {}

  private func connect(_ client: any Channel) -> EventLoopFuture<Void> {
    let isCut = state.withLock { state in
      state.connections += 1
      return state.condition == .cut
    }
    // A channel whose initializer fails is closed.
    if isCut { return client.eventLoop.makeFailedFuture(IsCut()) }
    return ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: target).flatMapThrowing { server in
      try client.pipeline.syncOperations.addHandler(Relay(self, to: server))
      try server.pipeline.syncOperations.addHandler(Relay(self, to: client))
      self.keep(client)
      self.keep(server)
      if self.condition == .cut {
        server.close(promise: nil)
        throw IsCut()
      }
    }
  }

  private func keep(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    state.withLock { $0.channels[id] = channel }
    channel.closeFuture.whenComplete { _ in self.state.withLock { _ = $0.channels.removeValue(forKey: id) } }
  }
}

/// Hands what comes on one side to the other in its order, its end included, when the line lets it through.
private final class Relay: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private enum Item {
    case bytes(ByteBuffer)
    case end
  }

  private let line: TestLine
  private let other: any Channel
  private var waiting: [(item: Item, since: NIODeadline)] = []
  private var alarm: Scheduled<Void>?

  init(_ line: TestLine, to other: any Channel) {
    self.line = line
    self.other = other
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    waiting.append((.bytes(unwrapInboundIn(data)), .now()))
    work(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    waiting.append((.end, .now()))
    work(context)
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is TestLine.Changed { work(context) } else { context.fireUserInboundEventTriggered(event) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func work(_ context: ChannelHandlerContext) {
    alarm?.cancel()
    alarm = nil
    while let next = waiting.first {
      switch line.condition {
      case .silent: return
      case .slow(let delay):
        let due = next.since + .nanoseconds(Int64(delay / .nanoseconds(1)))
        guard due <= .now() else {
          let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
          alarm = context.eventLoop.scheduleTask(deadline: due) {
            let (relay, context) = bound.value
            relay.work(context)
          }
          return
        }
      case .whole, .cut: break
      }
      waiting.removeFirst()
      switch next.item {
      case .bytes(let bytes): other.writeAndFlush(bytes, promise: nil)
      case .end: other.close(promise: nil)
      }
    }
  }
}
