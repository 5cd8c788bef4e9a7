import Testing

@testable import PushDispatcher

@Suite struct TopicPausesTests {
  @Test func `a pause holds its own topic back, and no other`() throws {
    let pauses = TopicPauses()
    pauses.extend("news", by: .seconds(3_600))
    let remaining = try #require(pauses.remaining("news"))
    #expect(remaining > .seconds(3_500) && remaining <= .seconds(3_600))
    #expect(pauses.remaining("sport") == nil)
  }

  @Test func `a shorter pause never shortens a longer one, and one that is over holds nothing back`() throws {
    let pauses = TopicPauses()
    pauses.extend("news", by: .seconds(3_600))
    pauses.extend("news", by: .seconds(1))
    #expect(try #require(pauses.remaining("news")) > .seconds(3_500))
    pauses.extend("sport", by: .zero)
    #expect(pauses.remaining("sport") == nil)
  }

  @Test func `of too many the one that ends first is forgotten`() {
    let pauses = TopicPauses()
    pauses.extend("first", by: .seconds(60))
    for number in 1..<TopicPauses.maximumCount { pauses.extend("topic-\(number)", by: .seconds(3_600)) }
    #expect(pauses.remaining("first") != nil)
    pauses.extend("last", by: .seconds(3_600))
    #expect(pauses.remaining("first") == nil)
    #expect(pauses.remaining("last") != nil && pauses.remaining("topic-1") != nil)
  }
}
