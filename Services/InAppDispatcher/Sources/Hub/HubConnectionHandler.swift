import Logging
import NIOCore
import NIOWebSocket
import NotificationModel
import SignalRProtocol

/// One hub connection over a WebSocket: carries out what its ``HubConnectionState`` decides.
final class HubConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = ByteBuffer

  let user: UserID
  private let hub: HubContext
  private let registry: ConnectionRegistry
  private let token: String?
  private var state: HubConnectionState
  private var context: ChannelHandlerContext?
  private var isSubscribed = false
  private var needsFlush = false
  /// Set once the closing handshake has begun: when it has to be over.
  private var closesBy: NIODeadline?

  init(hub: HubContext, registry: ConnectionRegistry, user: UserID, token: String?) {
    self.hub = hub
    self.registry = registry
    self.user = user
    self.token = token
    state = HubConnectionState(at: .now, maximumMessageSize: hub.limits.maximumMessageSize)
  }

  /// Whether it has taken over the place that the directory counted.
  var isOwner: Bool { context != nil }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    registry.add(self)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    unsubscribe()
    registry.remove(self)
    hub.directory.close(token, of: user)
    self.context = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? NIOWebSocketError else { return abort() }
    refuse(code: error == .invalidFrameLength ? 1009 : 1002)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard !context.channel.isWritable else { return }
    hub.statistics.count(.slow)
    hub.logger.notice("dropped a client that does not read", metadata: ["user": "\(user)"])
    abort()
  }

  // MARK: Inbound

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard closesBy == nil || frame.opcode == .connectionClose else { return }
    // A client must mask (RFC 6455, section 5.1).
    guard frame.maskKey != nil else { return refuse(code: 1002) }
    let payload = frame.unmaskedData
    switch frame.opcode {
    case .text, .binary, .continuation:
      perform(state.receive(Array(payload.readableBytesView), at: .now))
    case .ping:
      context.writeAndFlush(wrapOutboundOut(WebSocketText.pong(Array(payload.readableBytesView))), promise: nil)
    case .connectionClose:
      // Either the answer to ours, or to be answered; then the connection is over.
      if closesBy == nil {
        context.write(wrapOutboundOut(WebSocketText.close(code: 1000)), promise: nil)
        context.flush()
      }
      context.close(promise: nil)
    default:
      break
    }
  }

  private func perform(_ actions: [HubAction]) {
    for action in actions {
      switch action {
      case .send(let bytes):
        send(bytes)
      case .established:
        hub.statistics.count(.established)
        isSubscribed = true
        registry.subscribe(self)
      case .handle(let message):
        if let answer = hub.methods.answer(to: message) { send(HubProtocol.json.encode(answer)) }
      case .close(let reason):
        finish(reason)
      }
    }
  }

  private func finish(_ reason: HubCloseReason) {
    switch reason {
    case .byClient:
      close(code: 1000)
    case .clientTimeout:
      hub.statistics.count(.failed)
      abort()
    case .handshakeTimeout, .handshakeRefused, .protocolError:
      hub.statistics.count(.failed)
      hub.logger.debug("ended a connection", metadata: ["user": "\(user)", "reason": "\(reason)"])
      close(code: 1000)
    }
  }

  // MARK: Outbound

  private func send(_ bytes: [UInt8]) {
    guard let context else { return }
    context.writeAndFlush(wrapOutboundOut(WebSocketText.frame(bytes)), promise: nil)
  }

  /// Writes a frame without flushing it; false when the connection is going.
  func write(_ frame: ByteBuffer) -> Bool {
    guard let context, isSubscribed, closesBy == nil else { return false }
    context.write(wrapOutboundOut(frame), promise: nil)
    return true
  }

  /// Notes that a flush is due; false when it was noted already.
  func markForFlush() -> Bool {
    guard !needsFlush else { return false }
    needsFlush = true
    return true
  }

  func flush() {
    needsFlush = false
    state.sent(at: .now)
    context?.flush()
  }

  // MARK: Time and end

  func tick(at now: NIODeadline) {
    if let closesBy {
      if now >= closesBy { abort() }
      return
    }
    perform(state.tick(at: HubInstant(now), timing: hub.timing))
  }

  /// Asks the client to reconnect elsewhere.
  func drain() {
    guard closesBy == nil else { return }
    perform(state.close(allowReconnect: true))
    close(code: 1001)
  }

  /// Ends a connection whose frames violate RFC 6455 or the limits.
  private func refuse(code: UInt16) {
    guard closesBy == nil else { return }
    hub.statistics.count(.failed)
    close(code: code)
  }

  /// Begins the closing handshake. The channel stays open until the client answers or its time is over: closing at once
  /// could destroy what the client has not read yet.
  private func close(code: UInt16) {
    guard let context, closesBy == nil else { return }
    unsubscribe()
    closesBy = .now() + TimeAmount(hub.limits.closeTimeout)
    context.writeAndFlush(wrapOutboundOut(WebSocketText.close(code: code)), promise: nil)
  }

  /// Ends the connection at once.
  func abort() {
    unsubscribe()
    context?.close(promise: nil)
  }

  private func unsubscribe() {
    guard isSubscribed else { return }
    isSubscribed = false
    registry.unsubscribe(self)
  }
}

extension HubInstant {
  init(_ deadline: NIODeadline) { self.init(nanoseconds: deadline.uptimeNanoseconds) }

  static var now: HubInstant { HubInstant(NIODeadline.now()) }
}
