import Testing

@testable import BelfryClient

struct EventStreamParserTests {
  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `data is read however it is cut`(size: Int) throws {
    let stream = ": comment\r\n\r\ndata: {\"a\":1}\u{1E}\r\n\r\nevent: x\ndata:two\n\ndata:  three\r\rdata\nid: 7\n"
    var parser = EventStreamParser()
    var texts: [String] = []
    var rest = ArraySlice(stream.utf8)
    while !rest.isEmpty {
      texts += try parser.take(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    #expect(texts == ["{\"a\":1}\u{1E}", "two", " three"])
  }

  @Test func `a line that does not end is given up`() {
    var parser = EventStreamParser(limit: 100)
    #expect(throws: BelfryError.self) { try parser.take(Array(repeating: 0x61, count: 101)) }
  }
}
