import Testing

@testable import PushDispatcher

@Suite struct RepeatedNewsTests {
  @Test func `a thing is news once a minute, whatever else is`() {
    let (news, start) = (RepeatedNews(), ContinuousClock.now)
    #expect(news.isDue("a", at: start))
    #expect(news.isDue("b", at: start))
    #expect(!news.isDue("a", at: start + .seconds(59)))
    #expect(news.isDue("a", at: start + .seconds(60)))
    #expect(!news.isDue("a", at: start + .seconds(61)))
  }

  @Test func `of many things none is kept for long`() {
    let (news, start) = (RepeatedNews(), ContinuousClock.now)
    for number in 0...RepeatedNews.maximumCount { #expect(news.isDue("\(number)", at: start)) }
    #expect(news.isDue("0", at: start))
  }
}
