/// Puts a server's reply lines together and keeps the latest reply.
struct SMTPReplyParser: Sendable {
  /// The last complete reply.
  private(set) var last: SMTPReply?

  /// Whether the latest EHLO reply named PIPELINING (RFC 2920).
  private(set) var offersPipelining = false

  private var texts: [String] = []
  private var enhancedCode: String?
  private let textLimit = 1_000

  /// Takes one line and returns the reply that it completes; what is no reply line is passed over.
  @discardableResult
  mutating func receive(_ line: UnsafeRawBufferPointer) -> SMTPReply? {
    let digits = line.prefix(3)
    guard digits.count == 3, digits.allSatisfy({ isDigit($0) }) else { return nil }
    let code = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    let isFinal = line.count < 4 || line[3] != UInt8(ascii: "-")
    var rest = line.dropFirst(4).drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    let first = rest.prefix { !isBlank($0) }
    if isEnhanced(first, of: code) {
      enhancedCode = String(decoding: first, as: UTF8.self)
      rest = rest.dropFirst(first.count).drop(while: isBlank)
    }
    let text = String(decoding: rest.prefix(textLimit), as: UTF8.self)
    if texts.reduce(0, { $0 + $1.utf8.count }) < textLimit { texts.append(text) }
    if code == 250, text.uppercased() == "PIPELINING" { offersPipelining = true }
    // What a server says before STARTTLS does not count.
    if code == 220 { offersPipelining = false }
    guard isFinal else { return nil }
    let reply = SMTPReply(
      code: code,
      enhancedCode: enhancedCode,
      text: String(texts.joined(separator: " ").prefix(textLimit))
    )
    last = reply
    texts = []
    enhancedCode = nil
    return reply
  }

  /// RFC 3463: class "." subject "." detail, the class being the reply's first digit.
  private func isEnhanced(_ word: Slice<UnsafeRawBufferPointer>, of code: Int) -> Bool {
    guard word.count >= 5, Int(word[word.startIndex] & 15) == code / 100 else { return false }
    let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].count == 1
      && parts.allSatisfy { 1...3 ~= $0.count && $0.allSatisfy(isDigit) }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || 9...13 ~= byte
  }
}
