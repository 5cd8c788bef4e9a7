import SignalRProtocol
import Testing

@Suite struct LengthPrefixedBufferTests {
  private func messages(_ frames: [[UInt8]], limit: Int = 300) throws(HubProtocolError) -> [[UInt8]] {
    var buffer = LengthPrefixedBuffer()
    var messages: [[UInt8]] = []
    for frame in frames {
      var rest = frame[...]
      while let message = try buffer.next(from: &rest, limit: limit) { messages.append(Array(message)) }
      #expect(rest.isEmpty)
    }
    return messages
  }

  @Test func `messages cut at every byte come together`() throws {
    let expected: [[UInt8]] = [[1], [], Array(repeating: 2, count: 130), [3, 4], Array(repeating: 5, count: 300)]
    let stream = expected.flatMap { HubProtocol.messagePack.framed($0) }
    for cut in 0...stream.count {
      #expect(try messages([Array(stream[..<cut]), Array(stream[cut...])]) == expected)
    }
    #expect(try messages(stream.map { [$0] }) == expected)
  }

  @Test(arguments: [
    (0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (300, "ac02"), (16_383, "ff7f"), (16_384, "808001"),
    (2_097_152, "80808001"),
  ])
  func `the length is written in as few bytes as it needs`(length: Int, prefix: String) throws {
    let framed = HubProtocol.messagePack.framed(Array(repeating: 7, count: length))
    #expect(Array(framed.dropLast(length)) == hex(prefix))
    #expect(try messages([framed], limit: length).map(\.count) == [length])
  }

  @Test(arguments: ["8100", "81808000", "8180808000"])
  func `a longer prefix than needed is read`(prefix: String) throws {
    #expect(try messages([hex(prefix) + [7]]) == [[7]])
    #expect(try messages((hex(prefix) + [7]).map { [$0] }) == [[7]])
  }

  @Test(arguments: ["8080808080", "ffffffffff", "ffffffff08", "ffffffff7f", "808080808001"])
  func `a length beyond 31 bits or five bytes is malformed`(prefix: String) throws {
    for frames in [[hex(prefix)], hex(prefix).map { [$0] }] {
      #expect(throws: HubProtocolError.malformedLength) { try messages(frames, limit: .max) }
    }
  }

  @Test(arguments: ["ad02", "ffffffff07", "ffff7f"])
  func `a message beyond the limit is refused before any of it has come`(prefix: String) throws {
    for frames in [[hex(prefix)], hex(prefix).map { [$0] }] {
      #expect(throws: HubProtocolError.messageTooLarge(limit: 300)) { try messages(frames) }
    }
  }

  @Test func `what stands behind a message is left alone`() throws {
    var buffer = LengthPrefixedBuffer()
    var rest: ArraySlice<UInt8> = [1, 7, 2, 8]
    #expect(try buffer.next(from: &rest, limit: 1) == [7])
    #expect(rest == [2, 8])
  }
}
