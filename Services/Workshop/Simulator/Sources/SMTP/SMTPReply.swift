/// A reply line of the server (RFC 5321, section 4.2; enhanced codes: RFC 3463).
struct SMTPReply: Sendable, Equatable {
  let code: Int
  let enhancedCode: String?
  /// One or several lines of text.
  let lines: [String]

  init(_ code: Int, _ enhancedCode: String? = nil, _ lines: String...) {
    self.code = code
    self.enhancedCode = enhancedCode
    self.lines = lines
  }

  init(code: Int, lines: [String]) {
    self.code = code
    enhancedCode = nil
    self.lines = lines
  }

  /// What goes over the wire.
  var text: String {
    var text = ""
    for (index, line) in lines.enumerated() {
      let enhanced = enhancedCode.map { "\($0) " } ?? ""
      text += "\(code)\(index == lines.count - 1 ? " " : "-")\(enhanced)\(line)\r\n"
    }
    return text
  }
}
