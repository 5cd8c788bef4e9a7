/// An encoding of hub messages that a client may ask for in its handshake.
public enum HubProtocol: String, Sendable, CaseIterable {
  case json

  /// The highest version that the handshake accepts; 2 is stateful reconnect, which a client also has to negotiate.
  public static let maximumVersion = 2

  /// The message as it travels, with its framing.
  public func encode(_ message: HubMessage) -> [UInt8] {
    switch self {
    case .json: JSONHubCodec.encode(message)
    }
  }

  /// The message in one record, without its framing; nil for a type that this version does not know.
  public func decode(_ record: ArraySlice<UInt8>) throws(HubProtocolError) -> HubMessage? {
    switch self {
    case .json: try JSONHubCodec.decode(record)
    }
  }
}
