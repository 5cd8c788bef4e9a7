/// The gateway's 202.
struct GatewaySendAnswer: Decodable, Sendable {
  let requestId: String
}
