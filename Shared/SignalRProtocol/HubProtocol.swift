/// An encoding of hub messages that a client may ask for in its handshake.
public enum HubProtocol: String, Sendable, CaseIterable {
  case json
  case messagePack = "messagepack"

  /// The highest version that the handshake accepts; 2 is stateful reconnect, which a client also has to negotiate.
  public static let maximumVersion = 2

  /// Whether it needs a transport that carries any bytes, and binary WebSocket frames.
  public var isBinary: Bool { self == .messagePack }

  /// The message as it travels, with its framing.
  public func encode(_ message: HubMessage) -> [UInt8] {
    switch self {
    case .json: framed(JSONHubCodec.encode(message))
    case .messagePack: framed(MessagePackHubCodec.encode(message))
    }
  }

  /// The message in one record, without its framing; nil for a type that this version does not know.
  public func decode(_ record: ArraySlice<UInt8>) throws(HubProtocolError) -> HubMessage? {
    switch self {
    case .json: try JSONHubCodec.decode(record)
    case .messagePack: try MessagePackHubCodec.decode(record)
    }
  }

  /// An encoded message with its framing, for messages that are put together from shared parts.
  public func framed(_ message: consuming [UInt8]) -> [UInt8] {
    switch self {
    case .json:
      message.append(RecordBuffer.separator)
      return message
    case .messagePack:
      let prefix = LengthPrefixedBuffer.prefix(forLength: message.count)
      var framed: [UInt8] = []
      framed.reserveCapacity(prefix.count + message.count)
      framed.append(contentsOf: prefix)
      framed.append(contentsOf: message)
      return framed
    }
  }
}
