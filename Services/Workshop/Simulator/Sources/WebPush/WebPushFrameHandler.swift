import NIOCore
import NIOHPACK
import NIOHTTP2

/// Carries the pushes of one HTTP/2 connection to the responder, on the event loop; on frames, as FCM's does.
final class WebPushFrameHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  private static let connectionWindow = 16 * 1_048_576

  private let responder: WebPushResponder
  private var requests: [HTTP2StreamID: ReceivedRequest] = [:]
  /// Bytes that came since the connection's window was last enlarged.
  private var consumed = 0

  init(responder: WebPushResponder) {
    self.responder = responder
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { enlargeWindow(by: Self.connectionWindow, context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    enlargeWindow(by: Self.connectionWindow, context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.payload {
    case .headers(let part) where requests[frame.streamID] != nil:
      // Trailers.
      if part.endStream { respond(on: frame.streamID, context) }
    case .headers(let part):
      requests[frame.streamID] = ReceivedRequest(
        method: part.headers.first(name: ":method") ?? "",
        path: part.headers.first(name: ":path") ?? "",
        headers: part.headers.compactMap { $0.name.hasPrefix(":") ? nil : (name: $0.name, value: $0.value) }
      )
      if part.endStream { respond(on: frame.streamID, context) }
    case .data(let part):
      guard case .byteBuffer(let bytes) = part.data else { return }
      consumed += bytes.readableBytes + (part.paddingBytes.map { $0 + 1 } ?? 0)
      if consumed > Self.connectionWindow / 2 {
        enlargeWindow(by: consumed, context)
        consumed = 0
      }
      requests[frame.streamID]?.append(bytes)
      if part.endStream {
        respond(on: frame.streamID, context)
      } else if let request = requests[frame.streamID], request.body == nil {
        respond(on: frame.streamID, context)
        // Otherwise NIO would drop the answer with the stream.
        context.flush()
        write(.rstStream(.noError), on: frame.streamID, context)
      }
    case .rstStream: requests[frame.streamID] = nil
    default: break
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // E.g. a late answer on a stream that the client has reset.
    if error is NIOHTTP2Errors.StreamError || error is NIOHTTP2Errors.NoSuchStream { return }
    context.close(promise: nil)
  }

  // MARK: Answering

  private func respond(on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
    guard let request = requests.removeValue(forKey: stream) else { return }
    let (reply, delay) = responder.respond(to: request)
    guard delay > .zero else { return write(reply, on: stream, context) }
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
      guard context.channel.isActive else { return }
      self.write(reply, on: stream, context)
      context.flush()
    }
  }

  private func write(_ reply: WebPushReply, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
    switch reply {
    case .answer(let status, let body, _, _, _):
      let headers = HPACKHeaders([(":status", "\(status)")] + reply.headers.map { ($0.name, $0.value) })
      write(.headers(.init(headers: headers, endStream: body.isEmpty)), on: stream, context)
      guard !body.isEmpty else { return }
      write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: body)), endStream: true)), on: stream, context)
    case .fault(.hang): break
    case .fault(.disconnect): context.close(promise: nil)
    case .fault: write(.rstStream(.cancel), on: stream, context)
    }
  }

  private func enlargeWindow(by size: Int, _ context: ChannelHandlerContext) {
    write(.windowUpdate(windowSizeIncrement: size), on: .rootStream, context)
    context.flush()
  }

  private func write(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
  }
}
