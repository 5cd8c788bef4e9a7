/// AUTH PLAIN and LOGIN.
extension SMTPSession {
  mutating func authenticate(_ argument: String) -> SMTPOutcome {
    if client.isEmpty { return .reply(SMTPReply(503, "5.5.1", "Say EHLO first")) }
    if user != nil { return .reply(SMTPReply(503, "5.5.1", "Authenticated already")) }
    if hasSender { return .reply(SMTPReply(503, "5.5.1", "A mail is under way")) }
    let parts = argument.split(separator: " ", maxSplits: 1)
    let initial = parts.count > 1 ? String(parts[1]) : nil
    switch parts.first?.uppercased() {
    case "PLAIN":
      mode = .authenticationPlain
      return initial.map { authentication($0) } ?? .reply(SMTPReply(code: 334, lines: [""]))
    case "LOGIN":
      mode = .authenticationUser
      return initial.map { authentication($0) } ?? .reply(SMTPReply(code: 334, lines: ["VXNlcm5hbWU6"]))
    default: return .reply(SMTPReply(504, "5.5.4", "Unknown mechanism"))
    }
  }

  mutating func authentication(_ line: String) -> SMTPOutcome {
    let step = mode
    mode = .command
    if line == "*" { return .reply(SMTPReply(501, "5.7.0", "Cancelled")) }
    guard let decoded = SMTPCredentials.decode(line) else {
      return .reply(SMTPReply(501, "5.5.2", "Not base64"))
    }
    switch step {
    case .authenticationPlain:
      guard let pair = SMTPCredentials.plain(decoded) else { return .reply(SMTPReply(501, "5.5.2", "Malformed")) }
      return check(pair.user, pair.password)
    case .authenticationUser:
      mode = .authenticationPassword(user: decoded)
      return .reply(SMTPReply(code: 334, lines: ["UGFzc3dvcmQ6"]))
    case .authenticationPassword(let user): return check(user, decoded)
    case .command, .data: return .silent
    }
  }

  private mutating func check(_ name: String, _ password: String) -> SMTPOutcome {
    guard name == policy.user, password == policy.password else {
      return .reply(SMTPReply(535, "5.7.8", "Authentication credentials invalid"))
    }
    user = name
    return .reply(SMTPReply(235, "2.7.0", "Authentication succeeded"))
  }
}
