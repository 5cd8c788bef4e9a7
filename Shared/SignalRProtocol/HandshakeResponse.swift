/// The answer to a handshake, framed as JSON.
public enum HandshakeResponse {
  public static let accepted: [UInt8] = Array("{}\u{1E}".utf8)

  public static func refused(_ error: String) -> [UInt8] {
    var writer = HubJSONWriter()
    writer.raw(#"{"error":"#)
    writer.string(error)
    writer.raw("}\u{1E}")
    return writer.bytes
  }
}
