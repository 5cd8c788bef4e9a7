/// A topic of FCM, or a condition over several topics.
public struct TopicAudience: Sendable, Hashable {
  public let kind: PushAudience
  /// As FCM takes it.
  public let text: String

  /// Characters of a topic's name.
  public static let longestTopic = 900

  /// - Throws: What FCM would not take of the name.
  public init(topic: String) throws(TopicError) {
    guard !topic.isEmpty else { throw TopicError("must not be empty") }
    guard topic.utf8.count <= Self.longestTopic else {
      throw TopicError("has \(topic.utf8.count) bytes; at most \(Self.longestTopic) are allowed")
    }
    guard topic.utf8.allSatisfy(Self.isOfTopic) else {
      throw TopicError("expected letters, digits and the characters - _ . ~ % alone")
    }
    (kind, text) = (.topic, topic)
  }

  /// - Throws: What FCM would not take of the condition.
  public init(condition: String) throws(TopicError) {
    try TopicCondition.check(condition)
    (kind, text) = (.condition, condition)
  }

  static func isOfTopic(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_.~%".utf8.contains(byte)
    }
  }
}

/// Why a text is no topic, or no condition: the end of a sentence about its field.
public struct TopicError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
