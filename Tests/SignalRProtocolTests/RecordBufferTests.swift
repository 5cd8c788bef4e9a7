import SignalRProtocol
import Testing

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct RecordBufferTests {
  private func records(_ frames: [[UInt8]], limit: Int = 100) throws -> [String] {
    var buffer = RecordBuffer(limit: limit)
    return try frames.flatMap { try buffer.append($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `several records in one frame come apart`() throws {
    #expect(try records([bytes("a\u{1E}bc\u{1E}\u{1E}")]) == ["a", "bc", ""])
  }

  @Test func `records cut at every byte come together`() throws {
    let stream = bytes("first é\u{1E}second\u{1E}third\u{1E}")
    for cut in 0...stream.count {
      #expect(try records([Array(stream[..<cut]), Array(stream[cut...])]) == ["first é", "second", "third"])
    }
    #expect(try records(stream.map { [$0] }) == ["first é", "second", "third"])
  }

  @Test func `an unfinished record is kept back`() throws {
    #expect(try records([bytes("a\u{1E}b")]) == ["a"])
  }

  @Test func `the limit holds for whole, split and unfinished records`() throws {
    let longest = String(repeating: "x", count: 100)
    #expect(try records([bytes(longest), bytes("\u{1E}")]) == [longest])
    for frames in [[bytes(longest + "x\u{1E}")], [bytes(longest + "x")], [bytes(longest), bytes("x")]] {
      #expect(throws: HubProtocolError.messageTooLarge(limit: 100)) { try records(frames) }
    }
  }

  @Test func `many records may be longer than the limit together`() throws {
    #expect(try records([bytes(String(repeating: "0123456789\u{1E}", count: 50))]).count == 50)
  }
}
