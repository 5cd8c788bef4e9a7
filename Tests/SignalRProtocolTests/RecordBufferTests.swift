import SignalRProtocol
import Testing

@Suite struct RecordBufferTests {
  private func records(_ frames: [[UInt8]], limit: Int = 100) throws -> [String] {
    var buffer = RecordBuffer()
    var records: [String] = []
    for frame in frames {
      var rest = frame[...]
      while let record = try buffer.next(from: &rest, limit: limit) {
        records.append(String(decoding: record, as: UTF8.self))
      }
      #expect(rest.isEmpty)
    }
    return records
  }

  @Test func `several records in one frame come apart`() throws {
    #expect(try records([utf8("a\u{1E}bc\u{1E}\u{1E}")]) == ["a", "bc", ""])
  }

  @Test func `records cut at every byte come together`() throws {
    let stream = utf8("first é\u{1E}second\u{1E}third\u{1E}")
    for cut in 0...stream.count {
      #expect(try records([Array(stream[..<cut]), Array(stream[cut...])]) == ["first é", "second", "third"])
    }
    #expect(try records(stream.map { [$0] }) == ["first é", "second", "third"])
  }

  @Test func `an unfinished record is kept back`() throws {
    #expect(try records([utf8("a\u{1E}b")]) == ["a"])
  }

  @Test func `what stands behind a record is left alone`() throws {
    var buffer = RecordBuffer()
    var rest = utf8("a\u{1E}bc")[...]
    #expect(try buffer.next(from: &rest, limit: 1) == utf8("a")[...])
    #expect(rest == utf8("bc")[...])
  }

  @Test func `the limit holds for whole, split and unfinished records`() throws {
    let longest = String(repeating: "x", count: 100)
    #expect(try records([utf8(longest), utf8("\u{1E}")]) == [longest])
    for frames in [[utf8(longest + "x\u{1E}")], [utf8(longest + "x")], [utf8(longest), utf8("x")]] {
      #expect(throws: HubProtocolError.messageTooLarge(limit: 100)) { try records(frames) }
    }
  }

  @Test func `many records may be longer than the limit together`() throws {
    #expect(try records([utf8(String(repeating: "0123456789\u{1E}", count: 50))]).count == 50)
  }
}
