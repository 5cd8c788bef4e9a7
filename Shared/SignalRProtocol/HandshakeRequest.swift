import BelfryJSON

/// A client's first message: which protocol it speaks. Always JSON.
public struct HandshakeRequest: Sendable, Equatable {
  /// As the client spells it, e.g. `json` or `messagepack`.
  public let protocolName: String
  public let version: Int64

  public init(protocolName: String, version: Int64) {
    self.protocolName = protocolName
    self.version = version
  }

  /// Reads the first record of a connection.
  public static func decode(_ record: ArraySlice<UInt8>) throws(HubProtocolError) -> HandshakeRequest {
    let object = try JSONHubCodec.parse(record)
    guard let name = object["protocol"]?.string else { throw .malformedMessage(member: "protocol") }
    guard let version = object["version"]?.integer else { throw .malformedMessage(member: "version") }
    return HandshakeRequest(protocolName: name, version: Int64(version))
  }
}
