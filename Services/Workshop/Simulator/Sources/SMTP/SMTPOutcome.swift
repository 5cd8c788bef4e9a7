/// What the session wants done after a line.
struct SMTPOutcome: Sendable, Equatable {
  enum Next: Sendable, Equatable {
    case proceed
    /// Begin TLS after the reply.
    case startTLS
    /// Close the connection after the reply.
    case close
    /// Close it at once.
    case abort
    /// Never answer again.
    case hang
  }

  var reply: SMTPReply?
  var next: Next = .proceed
  /// Wait before the reply.
  var delay: Duration = .zero
  /// A mail to keep.
  var mail: SMTPEnvelope?

  static let silent = SMTPOutcome()

  static func reply(_ reply: SMTPReply) -> SMTPOutcome { SMTPOutcome(reply: reply) }
}
