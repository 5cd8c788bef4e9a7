import NIOCore
import SignalRProtocol

/// How hub messages look on the wire: their encoding, and what their transport puts around them.
///
/// An event is put into each form once and the bytes are shared by all connections of that form.
enum WireForm: Int, CaseIterable, Sendable {
  case webSocketJSON
  case webSocketMessagePack
  /// Server-Sent Events carry text only.
  case eventStream
  case pollJSON
  case pollMessagePack

  init(_ transport: HubTransport, _ hubProtocol: HubProtocol) {
    switch transport {
    case .webSockets: self = hubProtocol.isBinary ? .webSocketMessagePack : .webSocketJSON
    case .serverSentEvents: self = .eventStream
    case .longPolling: self = hubProtocol.isBinary ? .pollMessagePack : .pollJSON
    }
  }

  var hubProtocol: HubProtocol {
    switch self {
    case .webSocketJSON, .eventStream, .pollJSON: .json
    case .webSocketMessagePack, .pollMessagePack: .messagePack
    }
  }

  /// Appends one record, ready for the socket (or, for long polling, for the body of an answer).
  func append(_ record: [UInt8], to buffer: inout ByteBuffer) {
    switch self {
    case .webSocketJSON: WebSocketFrames.append(.text, record, to: &buffer)
    case .webSocketMessagePack: WebSocketFrames.append(.binary, record, to: &buffer)
    case .eventStream:
      buffer.reserveCapacity(minimumWritableBytes: record.count + 10)
      buffer.writeStaticString("data: ")
      buffer.writeBytes(record)
      buffer.writeStaticString("\r\n\r\n")
    case .pollJSON, .pollMessagePack: buffer.writeBytes(record)
    }
  }

  func framed(_ record: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    append(record, to: &buffer)
    return buffer
  }
}
