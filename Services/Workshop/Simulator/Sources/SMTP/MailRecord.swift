/// A mail that the sink accepted.
struct MailRecord: LogRecord {
  let sequence: Int
  /// Milliseconds since 1970.
  let receivedAt: Int64
  let envelope: SMTPEnvelope
  let headers: MailHeaders
  /// Whether one of its recipients got it before: a mail never takes the place of another.
  var repetition = DuplicateTracker.Repetition.none

  var byteCount: Int { envelope.message.count + 512 }
}
