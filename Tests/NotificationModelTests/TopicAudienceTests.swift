import Testing

@testable import NotificationModel

/// What FCM takes as a topic, and as a condition.
@Suite struct TopicAudienceTests {
  private static let topic = String(repeating: "t", count: 900)

  @Test(arguments: ["news", "A-b_c.d~e%20", "7", topic])
  func `a topic is made of what FCM takes in names`(_ name: String) throws {
    let topic = try TopicAudience(topic: name)
    #expect(topic.kind == .topic && topic.text == name)
  }

  @Test(arguments: ["", "a b", "/topics/news", "news!", "neuigkeiten-ä", "a'b", "a\n", topic + "t"])
  func `whatever else is no topic`(_ name: String) {
    #expect(throws: TopicError.self) { try TopicAudience(topic: name) }
  }

  @Test(arguments: [
    "'a' in topics", "'a' in topics && 'b' in topics", "'a' in topics&&('b' in topics||'c' in topics)",
    "  ( 'a' in topics )  ", "!('a' in topics)", "'a' in topics || !('b' in topics && 'c' in topics)",
    "((('a' in topics)))", "'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics",
    "'a.b~c%20_-' in topics",
  ])
  func `a condition is kept as it is written`(_ text: String) throws {
    let condition = try TopicAudience(condition: text)
    #expect(condition.kind == .condition && condition.text == text)
  }

  @Test(arguments: [
    ("", "expected 'topic' in topics at character 1"),
    ("news", "expected 'topic' in topics at character 1"),
    ("'' in topics", "expected a topic of 1 to 900 letters, digits and the characters - _ . ~ % at character 2"),
    ("'a b' in topics", "expected ' in topics at character 3"),
    ("'a'  in topics", "expected ' in topics at character 3"),
    ("'a' in topic", "expected ' in topics at character 3"),
    ("'a' in topics &&", "expected 'topic' in topics at character 17"),
    ("'a' in topics & 'b' in topics", "expected && or || at character 15"),
    ("'a' in topics 'b' in topics", "expected && or || at character 15"),
    ("'a' in topics AND 'b' in topics", "expected && or || at character 15"),
    ("('a' in topics", "expected ) at character 15"),
    ("'a' in topics)", "expected && or || at character 14"),
    ("!'a' in topics", "expected ( after ! at character 2"),
    ("()", "expected 'topic' in topics at character 2"),
  ])
  func `what is no condition is refused with the place`(_ text: String, _ problem: String) {
    #expect(throws: TopicError(problem)) { try TopicAudience(condition: text) }
  }

  @Test func `a condition has at most five topics, however they are joined`() {
    let six = (0..<6).map { "'t\($0)' in topics" }
    for operation in [" && ", " || "] {
      #expect(throws: TopicError("names 6 topics; at most 5 are allowed")) {
        try TopicAudience(condition: six.joined(separator: operation))
      }
    }
    #expect(throws: TopicError("names 6 topics; at most 5 are allowed")) {
      try TopicAudience(condition: "('a' in topics || 'a' in topics) && (\(six.prefix(4).joined(separator: " || ")))")
    }
  }

  @Test func `a condition is no deeper and no longer than five topics need`() throws {
    let nested = { (depth: Int) in
      String(repeating: "(", count: depth) + "'a' in topics" + String(repeating: ")", count: depth)
    }
    #expect(try TopicAudience(condition: nested(10)).text == nested(10))
    #expect(throws: TopicError("has more than 10 parentheses within each other")) {
      try TopicAudience(condition: nested(11))
    }
    let longest = (0..<5).map { _ in "'\(Self.topic)' in topics" }.joined(separator: " && ")
    #expect(try TopicAudience(condition: longest).text == longest)
    #expect(throws: TopicError("has 5001 bytes; at most 5000 are allowed")) {
      try TopicAudience(condition: "'a' in topics" + String(repeating: " ", count: 4_988))
    }
  }
}
