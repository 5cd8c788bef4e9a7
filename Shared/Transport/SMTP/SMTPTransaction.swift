/// The dialogue that hands one message to a server that has greeted us: pure, it says what to send and what came of it.
///
/// Source: RFC 5321 section 3.3; RFC 2920 for sending the commands in one go.
struct SMTPTransaction: Sendable {
  enum Action: Sendable, Equatable {
    case wait
    case send([UInt8])
    /// The message's fate. `next` is to be sent before the connection can take another message; nil: close it.
    case answer(SMTPReply, next: [UInt8]?)
    /// The connection can take another message.
    case ready
    /// The server said something it must not: close the connection.
    case fail
  }

  private enum Phase {
    case envelope
    case content
    case reset
    case done
  }

  /// Whether the message is out or on its way: from then on the server may have taken it.
  var isSendingContent: Bool { phase == .content }

  /// See ``SMTPEnvelope/mayLeave``.
  let mayLeave: (@Sendable (Duration) -> Bool)?

  private let commands: [[UInt8]]
  private let content: [UInt8]
  /// Whether the server is only asked about the sender.
  private let isProbe: Bool
  private var isPipelining = false
  private var phase = Phase.envelope
  private var answered = 0
  private var refusal: SMTPReply?

  /// Fails on an envelope that cannot be put into commands, or a message whose lines do not end in CRLF.
  init(_ envelope: SMTPEnvelope) throws(TransportError) {
    guard envelope.sender.isEmpty || Self.isAddress(envelope.sender) else { throw .invalid("sender") }
    guard !envelope.recipients.isEmpty else { throw .invalid("recipients") }
    guard envelope.recipients.allSatisfy(Self.isAddress) else { throw .invalid("recipient") }
    commands =
      [Array("MAIL FROM:<\(envelope.sender)>\r\n".utf8)] + envelope.recipients.map { Array("RCPT TO:<\($0)>\r\n".utf8) }
      + [Array("DATA\r\n".utf8)]
    content = try Self.stuffed(envelope.message)
    mayLeave = envelope.mayLeave
    isProbe = false
  }

  /// Asks whether the server takes a sender, and hands it nothing.
  init(probing sender: String) throws(TransportError) {
    guard Self.isAddress(sender) else { throw .invalid("sender") }
    commands = [Array("MAIL FROM:<\(sender)>\r\n".utf8)]
    content = []
    mayLeave = nil
    isProbe = true
  }

  /// The first bytes to send. Pipelining: all commands up to DATA at once, if the server has offered that.
  mutating func begin(isPipelining: Bool) -> [UInt8] {
    self.isPipelining = isPipelining
    return isPipelining ? Array(commands.joined()) : commands[0]
  }

  mutating func receive(_ reply: SMTPReply) -> Action {
    switch phase {
    case .envelope where isProbe:
      phase = .reset
      return reply.accepted || reply.code >= 400 ? .answer(reply, next: Array("RSET\r\n".utf8)) : .fail
    case .envelope:
      answered += 1
      let isData = answered == commands.count
      if refusal == nil, !(isData ? reply.code == 354 : reply.accepted) {
        refusal = answered == 1 ? reply.refusingSender : isData ? reply.refusingMail : reply
      }
      guard let refusal else {
        if isData { phase = .content }
        return isData ? .send(content) : isPipelining ? .wait : .send(commands[answered])
      }
      if isPipelining, !isData { return .wait }
      guard refusal.code >= 400 else { return .fail }
      phase = .reset
      // A server that took some of the recipients waits for the message now, and only closing stops it from sending one.
      if isData, reply.code == 354 { return .answer(refusal, next: nil) }
      return .answer(refusal, next: Array("RSET\r\n".utf8))
    case .content:
      phase = .done
      if reply.accepted { return .answer(reply, next: []) }
      return reply.code >= 400 ? .answer(reply.refusingMail, next: []) : .fail
    case .reset:
      return reply.accepted ? .ready : .fail
    case .done:
      return .fail
    }
  }

  /// Nothing that could end the command it is put into. International addresses (SMTPUTF8) are not supported.
  private static func isAddress(_ address: String) -> Bool {
    !address.isEmpty && address.utf8.count <= 320
      && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
  }

  /// Doubles leading dots and appends the final one (RFC 5321 section 4.5.2). A bare CR or LF is refused: servers disagree on
  /// what it means, which is how a second message is smuggled in.
  private static func stuffed(_ message: [UInt8]) throws(TransportError) -> [UInt8] {
    let cr = UInt8(ascii: "\r"), lf = UInt8(ascii: "\n"), dot = UInt8(ascii: ".")
    guard !message.isEmpty else { throw .invalid("message") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.count + 64)
    var previous = lf
    for (index, byte) in message.enumerated() {
      if (previous == cr) != (byte == lf) { throw .invalid("message") }
      if byte == dot, previous == lf { bytes.append(dot) }
      bytes.append(byte)
      previous = byte
      if index == message.count - 1, byte == cr { throw .invalid("message") }
    }
    if previous != lf { bytes += [cr, lf] }
    bytes += [dot, cr, lf]
    return bytes
  }
}

extension SMTPReply {
  fileprivate var refusingSender: SMTPReply {
    SMTPReply(code: code, enhancedCode: enhancedCode, text: text, refusesSender: true)
  }

  fileprivate var refusingMail: SMTPReply {
    SMTPReply(code: code, enhancedCode: enhancedCode, text: text, refusesMail: true)
  }
}
