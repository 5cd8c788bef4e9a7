/// The bodies that answer `POST <hub>/negotiate`.
public enum NegotiateResponse {
  /// Admits a connection.
  ///
  /// - Parameters:
  ///   - id: The connection's name; in version 0 also what the transport presents.
  ///   - token: What the transport presents in version 1.
  public static func accepted(
    version: NegotiateVersion,
    id: String,
    token: String,
    transports: [HubTransport]
  ) -> [UInt8] {
    var writer = HubJSONWriter()
    writer.raw(#"{"negotiateVersion":"#)
    writer.integer(version.rawValue)
    writer.raw(#","connectionId":"#)
    writer.string(id)
    if version == .one {
      writer.raw(#","connectionToken":"#)
      writer.string(token)
    }
    writer.raw(#","availableTransports":["#)
    for (position, transport) in transports.enumerated() {
      if position > 0 { writer.raw(",") }
      writer.raw(#"{"transport":"#)
      writer.string(transport.rawValue)
      writer.raw(#","transferFormats":"#)
      writer.raw(transport.transferFormats)
      writer.raw("}")
    }
    writer.raw("]}")
    return writer.bytes
  }

  public static func refused(_ error: NegotiateError) -> [UInt8] {
    var writer = HubJSONWriter()
    writer.raw(#"{"error":"#)
    writer.string(error.description)
    writer.raw("}")
    return writer.bytes
  }
}
