/// The commands and their replies.
extension SMTPSession {
  mutating func command(_ line: String, judge: Judge) -> SMTPOutcome {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let argument = parts.count > 1 ? parts[1].trimmingSpaces : ""
    switch parts[0].uppercased() {
    case "EHLO": return hello(argument, isExtended: true)
    case "HELO": return hello(argument, isExtended: false)
    case "STARTTLS":
      if isEncrypted { return .reply(SMTPReply(503, "5.5.1", "TLS is active already")) }
      return SMTPOutcome(reply: SMTPReply(220, "2.0.0", "Ready to start TLS"), next: .startTLS)
    case "AUTH": return authenticate(argument)
    case "MAIL": return mail(argument)
    case "RCPT": return recipient(argument, judge: judge)
    case "DATA": return data()
    case "RSET":
      reset()
      return .reply(SMTPReply(250, "2.0.0", "Reset"))
    case "NOOP": return .reply(SMTPReply(250, "2.0.0", "OK"))
    case "VRFY": return .reply(SMTPReply(252, "2.5.2", "Send mail and see"))
    case "HELP": return .reply(SMTPReply(214, "2.0.0", "RFC 5321"))
    case "QUIT": return SMTPOutcome(reply: SMTPReply(221, "2.0.0", "Bye"), next: .close)
    default: return .reply(SMTPReply(500, "5.5.2", "Unknown command"))
    }
  }

  private mutating func hello(_ name: String, isExtended: Bool) -> SMTPOutcome {
    guard !name.isEmpty else { return .reply(SMTPReply(501, "5.5.4", "A name is expected")) }
    reset()
    client = name
    guard isExtended else { return .reply(SMTPReply(250, nil, "belfry-simulator")) }
    var lines = ["belfry-simulator", "PIPELINING", "8BITMIME", "SIZE \(policy.maximumMessage)", "ENHANCEDSTATUSCODES"]
    if !isEncrypted { lines.append("STARTTLS") }
    lines.append("AUTH PLAIN LOGIN")
    return .reply(SMTPReply(code: 250, lines: lines))
  }

  private mutating func mail(_ argument: String) -> SMTPOutcome {
    if client.isEmpty { return .reply(SMTPReply(503, "5.5.1", "Say EHLO first")) }
    if policy.requiresAuthentication, user == nil { return .reply(SMTPReply(530, "5.7.0", "Authentication required")) }
    if hasSender { return .reply(SMTPReply(503, "5.5.1", "A mail is under way already")) }
    guard let path = SMTPPath(argument, keyword: "FROM:") else {
      return .reply(SMTPReply(501, "5.5.4", "Syntax: MAIL FROM:<address>"))
    }
    for parameter in path.parameters {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      switch pair[0].uppercased() {
      case "SIZE":
        guard pair.count == 2, let size = Int(pair[1]), size >= 0 else {
          return .reply(SMTPReply(501, "5.5.4", "Malformed SIZE"))
        }
        if size > policy.maximumMessage { return .reply(SMTPReply(552, "5.3.4", "Message too large")) }
      case "BODY", "AUTH": break
      default: return .reply(SMTPReply(555, "5.5.4", "Unknown parameter \(pair[0])"))
      }
    }
    hasSender = true
    envelope.sender = path.address
    return .reply(SMTPReply(250, "2.1.0", "OK"))
  }

  private mutating func recipient(_ argument: String, judge: Judge) -> SMTPOutcome {
    if !hasSender { return .reply(SMTPReply(503, "5.5.1", "MAIL first")) }
    guard let path = SMTPPath(argument, keyword: "TO:"), !path.address.isEmpty else {
      return .reply(SMTPReply(501, "5.1.3", "Syntax: RCPT TO:<address>"))
    }
    if let parameter = path.parameters.first {
      return .reply(SMTPReply(555, "5.5.4", "Unknown parameter \(parameter)"))
    }
    if envelope.recipients.count >= policy.maximumRecipients {
      return .reply(SMTPReply(452, "4.5.3", "Too many recipients"))
    }
    let decision = judge(path.address, .recipient)
    guard let effect = decision.effect else {
      envelope.recipients.append(path.address)
      return SMTPOutcome(reply: SMTPReply(250, "2.1.5", "OK"), delay: decision.delay)
    }
    if effect.accepts { envelope.recipients.append(path.address) }
    return outcome(effect, decision.delay)
  }

  private mutating func data() -> SMTPOutcome {
    if !hasSender { return .reply(SMTPReply(503, "5.5.1", "MAIL first")) }
    if envelope.recipients.isEmpty { return .reply(SMTPReply(554, "5.5.1", "No valid recipients")) }
    mode = .data
    return .reply(SMTPReply(354, nil, "End with a dot on a line by itself"))
  }
}
