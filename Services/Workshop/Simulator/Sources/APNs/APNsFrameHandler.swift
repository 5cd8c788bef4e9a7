import NIOCore
import NIOHPACK
import NIOHTTP2

/// Carries the pushes of one connection to the responder, on the event loop, and says how many streams it takes: one at first, many
/// once a push was accepted, one again after a refusal.
final class APNsFrameHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  private static let connectionWindow = 16 * 1_048_576

  private let responder: APNsResponder
  private let streams: Int
  private var connection = APNsConnection()
  private var requests: [HTTP2StreamID: ReceivedRequest] = [:]
  /// As the client was told last.
  private var limit = 1
  /// Bytes that came since the connection's window was last enlarged.
  private var consumed = 0
  private var hasSaidGoodbye = false
  private var lastAnswered = HTTP2StreamID.rootStream

  init(responder: APNsResponder, streams: Int) {
    self.responder = responder
    self.streams = streams
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
      guard !hasSaidGoodbye else { return }
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
    let (reply, delay) = responder.respond(to: request, on: &connection)
    guard delay > .zero else { return write(reply, on: stream, context) }
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
      guard context.channel.isActive else { return }
      self.write(reply, on: stream, context)
      context.flush()
    }
  }

  private func write(_ reply: APNsReply, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
    switch reply {
    case .answer(let status, let id, let reason, let timestamp, let retryAfter):
      var headers = HPACKHeaders([(":status", "\(status)"), ("apns-id", id)])
      if let retryAfter { headers.add(name: "retry-after", value: "\(retryAfter)") }
      if let reason {
        let body = APNsReply.body(reason: reason, timestamp: timestamp)
        headers.add(name: "content-type", value: "application/json")
        headers.add(name: "content-length", value: "\(body.count)")
        write(.headers(.init(headers: headers)), on: stream, context)
        write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: body)), endStream: true)), on: stream, context)
      } else {
        write(.headers(.init(headers: headers, endStream: true)), on: stream, context)
      }
      lastAnswered = max(lastAnswered, stream)
      // Failures of the server say nothing about the client.
      if status == 200 { allow(streams, context) } else if status < 500 { allow(1, context) }
    case .goodbye(let reason): sayGoodbye(reason, context)
    case .fault(.hang): break
    case .fault(.disconnect): context.close(promise: nil)
    case .fault: write(.rstStream(.cancel), on: stream, context)
    }
  }

  private func allow(_ streams: Int, _ context: ChannelHandlerContext) {
    guard streams != limit, !hasSaidGoodbye else { return }
    limit = streams
    let setting = HTTP2Setting(parameter: .maxConcurrentStreams, value: streams)
    write(.settings(.settings([setting])), on: .rootStream, context)
  }

  /// What was not answered was not looked at.
  private func sayGoodbye(_ reason: String, _ context: ChannelHandlerContext) {
    guard !hasSaidGoodbye else { return }
    hasSaidGoodbye = true
    requests = [:]
    let text = ByteBuffer(bytes: APNsReply.body(reason: reason, timestamp: nil))
    write(.goAway(lastStreamID: lastAnswered, errorCode: .noError, opaqueData: text), on: .rootStream, context)
  }

  private func enlargeWindow(by size: Int, _ context: ChannelHandlerContext) {
    write(.windowUpdate(windowSizeIncrement: size), on: .rootStream, context)
    context.flush()
  }

  private func write(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
  }
}
