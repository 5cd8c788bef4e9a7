import BelfryJSON

/// The answer to a handshake, framed; JSON whatever the client asked for.
public enum HandshakeResponse {
  public static let accepted: [UInt8] = HubProtocol.json.framed(Array("{}".utf8))

  public static func refused(_ error: String) -> [UInt8] {
    var writer = JSONWriter(capacity: 128)
    writer.object { $0.field("error", error) }
    return HubProtocol.json.framed(writer.bytes)
  }
}
