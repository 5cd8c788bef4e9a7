/// A mail as it was handed over.
struct SMTPEnvelope: Sendable, Equatable {
  var sender = ""
  var recipients: [String] = []
  var message: [UInt8] = []
  /// Name given in EHLO.
  var client = ""
  var isEncrypted = false
  /// User name, if the client authenticated.
  var user: String?
}
