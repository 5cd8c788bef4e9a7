/// The server's side of one SMTP connection, without the network: lines in, outcomes out.
///
/// Sources: RFC 5321 (SMTP), 2920 (pipelining), 1870 (size), 3207 (STARTTLS), 4954 (AUTH), 3463 (enhanced codes).
struct SMTPSession {
  /// Decides on a recipient, or on a message for a recipient.
  typealias Judge = (_ recipient: String, _ stage: FaultEffect.Stage) -> FaultDecision

  enum Mode: Equatable {
    case command
    case authenticationPlain
    case authenticationUser
    case authenticationPassword(user: String)
    case data
  }

  static let greeting = SMTPReply(220, nil, "belfry-simulator ESMTP")

  let policy: SMTPPolicy
  var mode = Mode.command
  var isEncrypted = false
  var client = ""
  var user: String?
  var hasSender = false
  var envelope = SMTPEnvelope()
  /// Why the message being received will be refused.
  private var objection: SMTPReply?

  init(policy: SMTPPolicy) {
    self.policy = policy
  }

  // MARK: Lines

  /// A command, or an answer in an AUTH exchange; without its line end.
  mutating func receive(line: [UInt8], judge: Judge) -> SMTPOutcome {
    guard let text = String(validating: line, as: UTF8.self) else {
      mode = .command
      return .reply(SMTPReply(500, "5.5.2", "Invalid characters"))
    }
    switch mode {
    case .command: return command(text, judge: judge)
    case .authenticationPlain, .authenticationUser, .authenticationPassword: return authentication(text)
    case .data: return .silent
    }
  }

  /// A line of a message; without its line end.
  ///
  /// - Parameter isBare: It ended in LF alone, which lets messages be smuggled past servers that disagree about it.
  mutating func receive(dataLine line: [UInt8], isBare: Bool, judge: Judge) -> SMTPOutcome {
    if line == [UInt8(ascii: ".")], !isBare { return finishMessage(judge: judge) }
    if isBare { object(SMTPReply(550, "5.6.0", "Line ends in a bare LF")) }
    guard objection == nil else { return .silent }
    let content = line.first == UInt8(ascii: ".") ? line.dropFirst() : line[...]
    guard envelope.message.count + content.count + 2 <= policy.maximumMessage else {
      object(SMTPReply(552, "5.3.4", "Message exceeds \(policy.maximumMessage) bytes"))
      return .silent
    }
    envelope.message.append(contentsOf: content)
    envelope.message.append(0x0D)
    envelope.message.append(0x0A)
    return .silent
  }

  /// A line that was too long to be read.
  mutating func receiveOverlongLine() -> SMTPOutcome {
    guard mode == .data else {
      mode = .command
      return .reply(SMTPReply(500, "5.5.2", "Line too long"))
    }
    object(SMTPReply(554, "5.6.0", "Line too long"))
    return .silent
  }

  /// The state after TLS has begun: everything said before is forgotten (RFC 3207, section 4.2).
  mutating func startedTLS() {
    self = SMTPSession(policy: policy)
    isEncrypted = true
  }

  // MARK: Message

  private mutating func object(_ reply: SMTPReply) {
    if objection == nil { objection = reply }
    envelope.message = []
  }

  private mutating func finishMessage(judge: Judge) -> SMTPOutcome {
    var mail = envelope
    mail.client = client
    mail.isEncrypted = isEncrypted
    mail.user = user
    let refusal = objection
    mode = .command
    reset()
    if let refusal { return .reply(refusal) }
    var delay = Duration.zero
    for recipient in mail.recipients {
      let decision = judge(recipient, .message)
      delay += decision.delay
      guard let effect = decision.effect else { continue }
      var outcome = outcome(effect, delay)
      if effect.accepts { outcome.mail = mail }
      return outcome
    }
    return SMTPOutcome(reply: SMTPReply(250, "2.0.0", "OK, kept"), delay: delay, mail: mail)
  }

  mutating func reset() {
    hasSender = false
    envelope = SMTPEnvelope()
    objection = nil
  }

  func outcome(_ effect: FaultEffect, _ delay: Duration) -> SMTPOutcome {
    switch effect.kind {
    case .hang: SMTPOutcome(next: .hang)
    case .reset, .disconnect: SMTPOutcome(next: .abort, delay: delay)
    default:
      SMTPOutcome(
        reply: SMTPReply(effect.smtpCode ?? 451, effect.enhancedCode ?? "4.3.0", effect.text ?? "Injected fault"),
        next: effect.smtpCode == 421 ? .close : .proceed,
        delay: delay
      )
    }
  }
}
