import NIOCore

/// Cuts what comes into lines, which are handed on without their end.
struct LineDecoder: ByteToMessageDecoder {
  typealias InboundOut = ByteBuffer

  static let maximumLength = 1_048_576

  /// Bytes in which no line feed was found before.
  private var searched = 0

  mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
    let view = buffer.readableBytesView
    guard let end = view[view.index(view.startIndex, offsetBy: searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.readableBytes
      guard searched <= Self.maximumLength else { throw DevelopmentSocketError.lineTooLong }
      return .needMoreData
    }
    searched = 0
    guard let line = buffer.readSlice(length: view.distance(from: view.startIndex, to: end)),
      line.readableBytes <= Self.maximumLength
    else { throw DevelopmentSocketError.lineTooLong }
    buffer.moveReaderIndex(forwardBy: 1)
    context.fireChannelRead(wrapInboundOut(line))
    return .continue
  }

  mutating func decodeLast(
    context: ChannelHandlerContext,
    buffer: inout ByteBuffer,
    seenEOF: Bool
  ) throws -> DecodingState {
    // Half a line is none.
    while try decode(context: context, buffer: &buffer) == .continue {}
    return .needMoreData
  }
}
