import Hummingbird

extension GatewayContext {
  /// The request, as logs and the audit log name it.
  var auditedRequestID: String? { id }
}
