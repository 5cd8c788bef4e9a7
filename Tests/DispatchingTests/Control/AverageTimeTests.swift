import Testing

@testable import Dispatching

@Suite struct AverageTimeTests {
  @Test func `the first calls count in full, later ones replace them by and by`() throws {
    var average = AverageTime(over: 16)
    #expect(average.seconds == nil)
    average.add(4)
    #expect(average.seconds == 4)
    average.add(2)
    #expect(average.seconds == 3)
    for _ in 0..<100 { average.add(1) }
    let late = try #require(average.seconds)
    #expect(late >= 1 && late < 1.01)
  }

  @Test func `of calls that take the same time no average is twice another, however few there were`() throws {
    var (long, short) = (AverageTime(over: 64), AverageTime(over: 16))
    for call in 0..<200 {
      long.add(0.1)
      if call.isMultiple(of: 3) { short.add(0.1) }
      let (all, some) = (try #require(long.seconds), try #require(short.seconds))
      #expect(abs(all - some) < 0.001)
    }
  }
}
