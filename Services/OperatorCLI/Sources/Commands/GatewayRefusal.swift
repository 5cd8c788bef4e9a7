/// The gateway answered, but not with 2xx.
struct GatewayRefusal: Error, CustomStringConvertible {
  let call: String
  let status: Int
  /// Problem details (RFC 9457), as a rule.
  let body: String

  var description: String { "\(call) was answered with \(status): \(body)" }
}
