/// The gateway's 202.
public struct GatewaySendAnswer: Decodable, Sendable {
  public let requestId: String
}
