import Retrying

/// Why a statement's text cannot be read.
enum SQLStatementFault: TransienceReporting, Equatable, CustomStringConvertible {
  case unknownConstant(String)
  case unusedConstants([String])
  /// Neither a name nor a body between `$$`: `$1`.
  case unnamedParameter
  /// A quote, comment, body or constant that does not end; with what it begins.
  case unclosed(String)

  var isTransient: Bool { false }
  var hasTimedOut: Bool { false }
  var isCancelled: Bool { false }

  var description: String {
    switch self {
    case .unknownConstant(let name): "{\(name)} has no value"
    case .unusedConstants(let names): "is without " + names.map { "{\($0)}" }.joined(separator: ", ")
    case .unnamedParameter: "a $ that begins no name"
    case .unclosed(let start): "\(start) has no end"
    }
  }
}

/// Reads the text of a ``SQLStatement`` from its first byte to the last.
struct SQLStatementReader {
  private let text: [UInt8]
  private let constants: [String: String]
  /// Where the next byte to be read is.
  private var next = 0
  private var sql: [UInt8] = []
  private var parameters: [String] = []
  private var used: Set<String> = []

  /// Answers the text with numbered placeholders, and the parameters' names in the order of their numbers.
  static func read(
    _ text: String,
    constants: [String: String]
  ) throws(SQLStatementFault) -> (sql: String, parameters: [String]) {
    var reader = SQLStatementReader(text: Array(text.utf8), constants: constants)
    try reader.read()
    let unused = constants.keys.filter { !reader.used.contains($0) }
    guard unused.isEmpty else { throw .unusedConstants(unused.sorted()) }
    return (String(decoding: reader.sql, as: UTF8.self), reader.parameters)
  }

  private init(text: [UInt8], constants: [String: String]) {
    self.text = text
    self.constants = constants
  }

  private mutating func read() throws(SQLStatementFault) {
    while next < text.count {
      let byte = text[next]
      let following = next + 1 < text.count ? text[next + 1] : nil
      switch (byte, following) {
      case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _): try copy(through: [byte], after: 1)
      case (UInt8(ascii: "-"), UInt8(ascii: "-")): skipLine()
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): try skipBlock()
      case (UInt8(ascii: "$"), _): try readDollar()
      case (UInt8(ascii: "{"), _): try putConstant()
      case _ where byte.isWord: copyWord()
      default:
        sql.append(byte)
        next += 1
      }
    }
    while let last = sql.last, last.isBlank { sql.removeLast() }
  }

  /// Copies what is quoted.
  ///
  /// - Parameters:
  ///   - end: What it ends with, and begins with.
  ///   - length: How much of the text that is.
  private mutating func copy(through end: [UInt8], after length: Int) throws(SQLStatementFault) {
    guard let range = text[(next + length)...].firstRange(of: end) else {
      throw .unclosed(String(decoding: end, as: UTF8.self))
    }
    sql += text[next..<range.upperBound]
    next = range.upperBound
  }

  /// Within a name or number a `$` is a part of it.
  private mutating func copyWord() {
    let end = text[next...].firstIndex { !$0.isWord && $0 != UInt8(ascii: "$") } ?? text.count
    sql += text[next..<end]
    next = end
  }

  /// Leaves out a comment, and the whole line if nothing else is in it.
  private mutating func skipLine() {
    next = text[next...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    while sql.last == UInt8(ascii: " ") { sql.removeLast() }
    if sql.isEmpty || sql.last == UInt8(ascii: "\n") { next += 1 }
  }

  /// Puts a blank in place of a comment, in which there may be others.
  private mutating func skipBlock() throws(SQLStatementFault) {
    var depth = 0
    repeat {
      guard next + 1 < text.count else { throw .unclosed("/*") }
      switch (text[next], text[next + 1]) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        next += 2
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        next += 2
      default: next += 1
      }
    } while depth > 0
    sql.append(UInt8(ascii: " "))
  }

  /// A parameter, or a body between `$$` or `$tag$`.
  private mutating func readDollar() throws(SQLStatementFault) {
    let start = next + 1
    let end = text[start...].firstIndex { !$0.isWord } ?? text.count
    if start < text.count, text[start].isDigit { throw .unnamedParameter }
    if end < text.count, text[end] == UInt8(ascii: "$") {
      let tag = Array(text[next...end])
      return try copy(through: tag, after: tag.count)
    }
    guard start < end else { throw .unnamedParameter }
    let name = String(decoding: text[start..<end], as: UTF8.self)
    let index = parameters.firstIndex(of: name) ?? parameters.count
    if index == parameters.count { parameters.append(name) }
    sql += Array("$\(index + 1)".utf8)
    next = end
  }

  private mutating func putConstant() throws(SQLStatementFault) {
    guard let end = text[next...].firstIndex(of: UInt8(ascii: "}")) else { throw .unclosed("{") }
    let name = String(decoding: text[(next + 1)..<end], as: UTF8.self)
    guard let constant = constants[name] else { throw .unknownConstant(name) }
    used.insert(name)
    sql += Array(constant.utf8)
    next = end + 1
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") }
  /// Whether it can be in a name or number.
  fileprivate var isWord: Bool {
    isDigit || self == UInt8(ascii: "_") || self >= 0x80
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
