/// The grammar of FCM's conditions. Pure.
///
/// ```
/// condition = term *( ("&&" / "||") term )
/// term      = "'" topic "' in topics" / ["!"] "(" condition ")"
/// ```
/// Spaces may stand between the parts. What FCM makes of it is FCM's: first what is in parentheses, then from left to right.
struct TopicCondition: ~Copyable {
  /// Topics that a condition may name.
  static let maximumTopics = 5
  /// Bytes of a condition: room for as many topics of any length.
  static let maximumLength = 5_000
  private static let maximumDepth = 10

  private let bytes: [UInt8]
  private var position = 0
  private var topics = 0

  /// - Throws: The first thing that is wrong, and where.
  static func check(_ text: String) throws(TopicError) {
    guard text.utf8.count <= maximumLength else {
      throw TopicError("has \(text.utf8.count) bytes; at most \(maximumLength) are allowed")
    }
    var condition = TopicCondition(text)
    try condition.readCondition(depth: 0)
    guard condition.position == condition.bytes.count else { throw condition.expected("&& or ||") }
    guard condition.topics <= maximumTopics else {
      throw TopicError("names \(condition.topics) topics; at most \(maximumTopics) are allowed")
    }
  }

  private init(_ text: String) {
    bytes = Array(text.utf8)
  }

  private mutating func readCondition(depth: Int) throws(TopicError) {
    guard depth <= Self.maximumDepth else {
      throw TopicError("has more than \(Self.maximumDepth) parentheses within each other")
    }
    try readTerm(depth: depth)
    while take("&&") || take("||") { try readTerm(depth: depth) }
  }

  private mutating func readTerm(depth: Int) throws(TopicError) {
    if take("!") {
      guard take("(") else { throw expected("( after !") }
    } else if !take("(") {
      return try readTopic()
    }
    try readCondition(depth: depth + 1)
    guard take(")") else { throw expected(")") }
  }

  private mutating func readTopic() throws(TopicError) {
    guard take("'") else { throw expected("'topic' in topics") }
    let start = position
    while position < bytes.count, TopicAudience.isOfTopic(bytes[position]) { position += 1 }
    guard position > start, position - start <= TopicAudience.longestTopic else {
      throw expected("a topic of 1 to \(TopicAudience.longestTopic) letters, digits and the characters - _ . ~ %")
    }
    // As FCM writes it: no space before the quote's end, one on each side of `in`.
    guard bytes[position...].starts(with: "' in topics".utf8) else { throw expected("' in topics") }
    position += "' in topics".utf8.count
    topics += 1
  }

  /// Whether that comes next, after any spaces; then it is read.
  private mutating func take(_ token: String) -> Bool {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
    guard bytes[position...].starts(with: token.utf8) else { return false }
    position += token.utf8.count
    return true
  }

  private func expected(_ what: String) -> TopicError {
    TopicError("expected \(what) at character \(position + 1)")
  }
}
