import Synchronization
import Testing

@testable import Gateway

@Suite struct UnknownKeyLimiterTests {
  private final class Door: Sendable {
    let queue = Mutex(UnknownKeyLimiter())
  }

  @Test func `two run at a time, the rest in the order in which they came`() async {
    let door = Door()
    let (turns, turn) = AsyncStream.makeStream(of: Int.self)
    await withTaskGroup(of: Void.self) { group in
      var iterator = turns.makeAsyncIterator()
      for number in 0..<10 {
        door.queue.withLock { $0.come() }
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        group.addTask {
          await withCheckedContinuation { continuation in
            let begins = door.queue.withLock { $0.begins(continuation) }
            asking.finish()
            #expect(begins == (number < UnknownKeyLimiter.atOnce))
            if begins { continuation.resume() }
          }
          turn.yield(number)
        }
        for await _ in asked {}
      }
      var running: Set<Int> = []
      for _ in 0..<UnknownKeyLimiter.atOnce { if let number = await iterator.next() { running.insert(number) } }
      #expect(running == Set(0..<UnknownKeyLimiter.atOnce))
      for expected in UnknownKeyLimiter.atOnce..<10 {
        door.queue.withLock { $0.leave() }?.resume()
        #expect(await iterator.next() == expected)
      }
      for _ in 0..<UnknownKeyLimiter.atOnce { #expect(door.queue.withLock { $0.leave() == nil }) }
    }
  }

  @Test func `there is room for a hundred beside those that run`() {
    var queue = UnknownKeyLimiter()
    for _ in 0..<UnknownKeyLimiter.maximum {
      #expect(queue.hasRoom)
      queue.come()
    }
    #expect(!queue.hasRoom)
    #expect(UnknownKeyLimiter.maximum == UnknownKeyLimiter.atOnce + 100)
  }
}
