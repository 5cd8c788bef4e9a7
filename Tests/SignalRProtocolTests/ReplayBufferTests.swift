import SignalRProtocol
import TestSupport
import Testing

@Suite struct ReplayBufferTests {
  private func drain(_ buffer: inout ReplayBuffer<String>) -> [String] {
    var frames: [String] = []
    while let frame = buffer.next() { frames.append(frame) }
    return frames
  }

  @Test func `frames leave once and in order`() throws {
    var buffer = ReplayBuffer<String>()
    #expect(buffer.next() == nil)
    buffer.append("a", messages: 1, size: 10)
    buffer.append("b", messages: 1, size: 10)
    #expect(drain(&buffer) == ["a", "b"])
    buffer.append("c", messages: 1, size: 10)
    #expect(drain(&buffer) == ["c"])
    #expect(buffer.bufferedBytes == 30)
    try buffer.acknowledge(3)
    #expect(buffer.bufferedBytes == 0)
    #expect(buffer.next() == nil)
  }

  @Test func `a new WebSocket gets what was not acknowledged and its first number`() throws {
    var buffer = ReplayBuffer<String>()
    #expect(buffer.rewind() == 1)
    for name in ["a", "b", "c", "d"] { buffer.append(name, messages: 1, size: 1) }
    #expect(buffer.rewind() == 1)
    _ = buffer.next()
    _ = buffer.next()
    try buffer.acknowledge(1)
    #expect(buffer.rewind() == 2)
    #expect(drain(&buffer) == ["b", "c", "d"])
    #expect(buffer.rewind() == 2)
    #expect(drain(&buffer) == ["b", "c", "d"])
    try buffer.acknowledge(4)
    #expect(buffer.rewind() == 5)
    #expect(buffer.next() == nil)
    buffer.append("e", messages: 1, size: 1)
    #expect(drain(&buffer) == ["e"])
    #expect(buffer.rewind() == 5)
  }

  @Test func `a frame of several messages goes with its last one`() throws {
    var buffer = ReplayBuffer<String>()
    buffer.append("abc", messages: 3, size: 30)
    buffer.append("de", messages: 2, size: 20)
    #expect(drain(&buffer) == ["abc", "de"])
    try buffer.acknowledge(2)
    #expect(buffer.bufferedBytes == 50)
    #expect(buffer.rewind() == 1)
    #expect(drain(&buffer) == ["abc", "de"])
    try buffer.acknowledge(4)
    #expect(buffer.bufferedBytes == 20)
    #expect(buffer.rewind() == 4)
    #expect(drain(&buffer) == ["de"])
  }

  @Test func `too much without an acknowledgement waits`() throws {
    var buffer = ReplayBuffer<String>(capacity: 100)
    for name in ["a", "b", "c", "d"] { buffer.append(name, messages: 1, size: 60) }
    #expect(drain(&buffer) == ["a", "b"])
    #expect(buffer.bufferedBytes == 240)
    try buffer.acknowledge(1)
    #expect(drain(&buffer) == ["c"])
    try buffer.acknowledge(3)
    #expect(drain(&buffer) == ["d"])
  }

  @Test func `one frame may always leave, however large it is`() throws {
    var buffer = ReplayBuffer<String>(capacity: 0)
    buffer.append("a", messages: 1, size: 1_000_000)
    buffer.append("b", messages: 1, size: 1)
    #expect(drain(&buffer) == ["a"])
    try buffer.acknowledge(1)
    #expect(drain(&buffer) == ["b"])
    #expect(buffer.rewind() == 2)
    #expect(drain(&buffer) == ["b"])
  }

  @Test(arguments: [Int64(-1), .min, 3, 4, .max])
  func `what was never sent cannot be acknowledged`(id: Int64) throws {
    var buffer = ReplayBuffer<String>(capacity: 10)
    for name in ["a", "b", "c"] { buffer.append(name, messages: 1, size: 5) }
    #expect(drain(&buffer) == ["a", "b"])
    #expect(throws: HubProtocolError.acknowledgementTooHigh(id)) { try buffer.acknowledge(id) }
    #expect(buffer.bufferedBytes == 15)
    try buffer.acknowledge(0)
    try buffer.acknowledge(2)
    try buffer.acknowledge(1)
    #expect(drain(&buffer) == ["c"])
  }

  @Test func `an acknowledgement of the old WebSocket counts on the new one`() throws {
    var buffer = ReplayBuffer<String>(capacity: 20)
    for name in ["a", "b", "c", "d"] { buffer.append(name, messages: 1, size: 10) }
    #expect(drain(&buffer) == ["a", "b"])
    #expect(buffer.rewind() == 1)
    #expect(buffer.next() == "a")
    try buffer.acknowledge(2)
    #expect(buffer.bufferedBytes == 20)
    #expect(drain(&buffer) == ["c", "d"])
  }

  @Test func `it does what a plain list would do`() throws {
    struct Item {
      let frame: Int
      let first: Int64
      let last: Int64
      let size: Int
    }
    var random = SplitMix64(seed: 8)
    for _ in 0..<40 {
      let capacity = 1 + random.below(200)
      var buffer = ReplayBuffer<Int>(capacity: capacity)
      var items: [Item] = []
      var sent = 0
      var appended: Int64 = 0
      var everSent: Int64 = 0
      for frame in 0..<400 {
        switch random.below(8) {
        case 0...2:
          let item = Item(
            frame: frame,
            first: appended + 1,
            last: appended + 1 + Int64(random.below(3)),
            size: random.below(60)
          )
          appended = item.last
          items.append(item)
          buffer.append(frame, messages: Int(item.last - item.first) + 1, size: item.size)
        case 3...5:
          let inFlight = items[..<sent].reduce(0) { $0 + $1.size }
          let maySend = sent < items.count && (sent == 0 || inFlight < capacity)
          #expect(buffer.next() == (maySend ? items[sent].frame : nil))
          if maySend {
            everSent = max(everSent, items[sent].last)
            sent += 1
          }
        case 6:
          let id = max(0, everSent - Int64(random.below(12)))
          try buffer.acknowledge(id)
          let gone = items.prefix { $0.last <= id }.count
          items.removeFirst(gone)
          sent = max(0, sent - gone)
        default:
          #expect(buffer.rewind() == items.first?.first ?? appended + 1)
          sent = 0
        }
        #expect(buffer.bufferedBytes == items.reduce(0) { $0 + $1.size })
      }
    }
  }
}
