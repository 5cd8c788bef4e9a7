import SignalRProtocol
import TestSupport
import Testing

/// Hostile input from a seeded generator: whatever comes is a message, nothing or an error.
@Suite struct FuzzTests {
  /// Feeds one record to a codec; what reads must also be writable and read the same again.
  private func decode(_ record: [UInt8], _ hubProtocol: HubProtocol) throws -> Bool {
    let message: HubMessage?
    do throws(HubProtocolError) {
      message = try hubProtocol.decode(record[...])
    } catch {
      #expect(!error.description.isEmpty)
      return false
    }
    guard let message else { return false }
    let again = hubProtocol.encode(message)
    let body = hubProtocol == .json ? again.dropLast() : again.drop { $0 & 0x80 != 0 }.dropFirst()
    // Not compared itself: NaN differs from itself.
    let reread = try #require(try hubProtocol.decode(body))
    #expect(hubProtocol.encode(reread) == again)
    return true
  }

  @Test(arguments: HubProtocol.allCases)
  func `random bytes are survived`(hubProtocol: HubProtocol) throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<5_000 { _ = try decode(random.bytes(random.below(48)), hubProtocol) }
  }

  @Test func `random values that begin like a message are survived`() throws {
    let values = [
      "00", "2a", "ff", "80", "81a16101", "90", "9201c0", "a0", "a161", "a2c3a9", "a1ff", "c0", "c1", "c2", "c3",
    ]
    .map(hex)
    var random = SplitMix64(seed: 2)
    var count = 0
    for _ in 0..<5_000 {
      let rest = (0..<random.below(7)).flatMap { _ in values[random.below(values.count)] }
      let record = [0x90 | UInt8(1 + random.below(7)), UInt8(1 + random.below(9)), 0x80] + rest
      if try decode(record, .messagePack) { count += 1 }
    }
    #expect(count > 100)
  }

  @Test(arguments: HubProtocol.allCases)
  func `mutated messages are survived`(hubProtocol: HubProtocol) throws {
    var random = SplitMix64(seed: 3)
    var count = 0
    let bodies = everyMessage.map { message in
      let bytes = hubProtocol.encode(message)
      return hubProtocol == .json ? Array(bytes.dropLast()) : Array(bytes.drop { $0 & 0x80 != 0 }.dropFirst())
    }
    for round in 0..<5_000 {
      if try decode(random.mutated(bodies[round % bodies.count]), hubProtocol) { count += 1 }
    }
    #expect(count > 100)
  }

  @Test func `random lengths keep no more than the limit`() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<3_000 {
      var buffer = LengthPrefixedBuffer()
      let limit = random.below(64)
      var arrived = 0
      for _ in 0..<4 {
        let bytes = random.bytes(random.below(10)).map { random.below(3) == 0 ? $0 : $0 & 0x8F }
        arrived += bytes.count
        var rest = bytes[...]
        do throws(HubProtocolError) {
          while let message = try buffer.next(from: &rest, limit: limit) {
            #expect(message.count <= limit)
            arrived -= message.count + 1
            #expect(arrived >= 0)
          }
        } catch {
          break
        }
        #expect(rest.isEmpty)
      }
    }
  }

  @Test(arguments: HubProtocol.allCases, [false, true])
  func `a connection survives anything and does nothing after its end`(hubProtocol: HubProtocol, isStateful: Bool) {
    let messages = everyMessage.map { hubProtocol.encode($0) }
    var random = SplitMix64(seed: isStateful ? 5 : 6)
    for _ in 0..<600 {
      var state = connected(hubProtocol, version: isStateful ? 2 : 1, allowsStatefulReconnect: isStateful)
      #expect(state.isStateful == isStateful)
      var hasEnded = false
      var now = 0.0
      for _ in 0..<12 {
        now += Double(random.below(4_000)) / 1_000
        let actions: [HubAction]
        switch random.below(16) {
        case 0: actions = state.tick(at: second(now), timing: HubTiming())
        case 1: actions = state.tick(at: second(now + 40), timing: HubTiming())
        case 2 where state.reattach(at: second(now)):
          #expect(isStateful && !hasEnded)
          let sequence = HubMessage.sequence(sequenceID: Int64(random.below(4)))
          actions = state.receive(hubProtocol.encode(sequence), at: second(now), limit: 512)
        case 3:
          actions = state.close(error: random.below(2) == 0 ? nil : "x", allowReconnect: true)
          #expect(hasEnded ? actions.isEmpty : actions.count == 1)
          hasEnded = true
          continue
        case 4: actions = state.receive(random.bytes(random.below(64)), at: second(now), limit: 512)
        case 5...7:
          let bytes = random.mutated(messages[random.below(messages.count)])
          actions = state.receive(bytes, at: second(now), limit: 512)
        default:
          // Valid ones, and at times cut off: then the next one is garbage.
          let bytes = messages[random.below(messages.count)]
          let end = random.below(8) == 0 ? random.below(bytes.count) : bytes.count
          actions = state.receive(Array(bytes[..<end]), at: second(now), limit: 512)
        }
        #expect(!hasEnded || actions.isEmpty)
        for (position, action) in actions.enumerated() {
          #expect(!hasEnded)
          #expect(action != .established)
          if case .acknowledged = action { #expect(isStateful) }
          guard case .close = action else { continue }
          hasEnded = true
          #expect(position == actions.count - 1)
        }
        #expect(state.isConnected == !hasEnded)
      }
    }
  }

  @Test func `any handshake is answered or kept waiting`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      var state = HubConnectionState(at: second(0), transport: HubTransport.allCases[random.below(3)])
      let bytes = random.mutated(handshake(HubProtocol.allCases[random.below(2)], version: random.below(4)))
      let actions = state.receive(bytes, at: second(0), limit: 100)
      switch actions.first {
      case nil: #expect(!bytes.contains(RecordBuffer.separator))
      case .send(let answer): #expect(answer.last == RecordBuffer.separator)
      default: Issue.record("\(actions)")
      }
    }
  }
}
