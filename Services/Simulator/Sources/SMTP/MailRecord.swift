/// A mail that the sink accepted.
struct MailRecord: LogRecord {
  let sequence: Int
  /// Milliseconds since 1970.
  let receivedAt: Int64
  let envelope: SMTPEnvelope
  let headers: MailHeaders

  var byteCount: Int { envelope.message.count + 512 }
}
