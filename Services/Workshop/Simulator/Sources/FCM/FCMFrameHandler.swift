import NIOCore
import NIOHPACK
import NIOHTTP2

/// Carries the requests of one HTTP/2 connection to the responder, on the event loop.
///
/// It works on frames: a NIO channel for each stream, as its multiplexer makes, costs more than the whole answer, and the
/// simulator shares its machine with what is being measured. An answer states its length, and its last frame ends the stream;
/// without the one or the other libcurl 7.88 resets every stream after its end.
final class FCMFrameHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  /// A stream takes this much of a body before its window has to be enlarged: never, since larger bodies are refused.
  static let streamWindow = 1_048_576
  private static let connectionWindow = 16 * 1_048_576

  private let responder: FCMResponder
  private var requests: [HTTP2StreamID: FCMRequest] = [:]
  /// Bytes that came since the connection's window was last enlarged.
  private var consumed = 0

  init(responder: FCMResponder) {
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
      requests[frame.streamID] = FCMRequest(
        method: part.headers.first(name: ":method") ?? "",
        target: part.headers.first(name: ":path") ?? "",
        authorization: part.headers.first(name: "authorization")
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
        // Refused without being read to its end, for which the stream's window would not last (RFC 9113, section 8.1).
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

  private func write(_ reply: FCMReply, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
    switch reply {
    case .answer(let status, let body, let retryAfter):
      var headers = HPACKHeaders([
        (":status", "\(status)"), ("content-type", FCMReply.contentType), ("content-length", "\(body.count)"),
      ])
      if let retryAfter { headers.add(name: "retry-after", value: "\(retryAfter)") }
      write(.headers(.init(headers: headers)), on: stream, context)
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
