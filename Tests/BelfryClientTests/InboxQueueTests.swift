import Foundation
import Testing

@testable import BelfryClient

struct InboxQueueTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let jitter = Jitter { 0.5 }

  private func operation(
    _ id: Int,
    _ numbers: [Int],
    _ action: InboxOperation.Action = .read,
    isAll: Bool = false,
    delay: Duration = .zero
  ) -> InboxOperation {
    InboxOperation(id: id, action, numbers.map(notificationID), isAll: isAll, since: now, delay: delay)
  }

  private func sent(_ operation: InboxOperation) -> InboxOperation {
    var operation = operation
    operation.isSending = true
    operation.isSent = true
    return operation
  }

  private func judge(_ operation: InboxOperation, _ error: BelfryError) -> InboxQueue.Verdict {
    var queue = InboxQueue()
    return queue.judge(sent(operation), error, now: now, timing: ClientTiming(), jitter: jitter)
  }

  @Test func `four are sent at once`() {
    let plan = InboxQueue().plan((1...9).map { operation($0, [$0]) }, now: now)
    #expect(plan.sending == [1, 2, 3, 4])
  }

  @Test func `those about the same notification follow each other`() {
    let waiting = [operation(1, [1, 2]), operation(2, [2, 3]), operation(3, [3]), operation(4, [4])]
    #expect(InboxQueue().plan(waiting, now: now).sending == [1, 4])
    #expect(InboxQueue().plan([sent(waiting[0])] + waiting[1...], now: now).sending == [4])
  }

  @Test func `one about all waits for those before, and those after wait for it`() {
    let waiting = [operation(1, [1]), operation(2, [], isAll: true), operation(3, [3])]
    #expect(InboxQueue().plan(waiting, now: now).sending == [1])
    #expect(InboxQueue().plan(Array(waiting[1...]), now: now).sending == [2])
  }

  @Test func `what can still be taken back is in nobody's way`() {
    let waiting = [operation(1, [1], .remove, delay: .seconds(5)), operation(2, [1])]
    let plan = InboxQueue().plan(waiting, now: now)
    #expect(plan.sending == [2])
    #expect(plan.next == now.addingTimeInterval(5))
    #expect(InboxQueue().plan(waiting, now: now.addingTimeInterval(5)).sending == [1])
  }

  @Test func `a clock that was set back makes nothing wait`() {
    let yesterday = now.addingTimeInterval(-86_400)
    let waiting = [operation(1, [1], .remove, delay: .seconds(5)), operation(2, [2])]
    #expect(InboxQueue().plan(waiting, now: yesterday).sending == [1, 2])
    var queue = InboxQueue()
    let error = BelfryError(.rateLimited, status: 429, retryAfter: .seconds(300))
    guard
      case .again(let held) = queue.judge(sent(waiting[1]), error, now: now, timing: ClientTiming(), jitter: jitter)
    else {
      Issue.record("It is not tried again.")
      return
    }
    #expect(queue.plan([held], now: now).sending.isEmpty)
    #expect(queue.plan([held], now: yesterday).sending == [2])
  }

  @Test func `without a network the pauses grow, and nothing is given up`() {
    var (queue, waiting) = (InboxQueue(), operation(1, [1]))
    var total = 0.0
    for _ in 0..<1_000 {
      let verdict = queue.judge(sent(waiting), BelfryError(.offline), now: now, timing: ClientTiming(), jitter: jitter)
      guard case .again(let next) = verdict else {
        Issue.record("It is given up.")
        return
      }
      total += next.notBefore.timeIntervalSince(now)
      waiting = next
    }
    // Half of half a minute each time.
    #expect(total > 14_000)
  }

  @Test func `what has failed once keeps its place`() {
    var first = sent(operation(1, [1]))
    first.isSending = false
    first.notBefore = now.addingTimeInterval(3)
    let plan = InboxQueue().plan([first, operation(2, [1])], now: now)
    #expect(plan == InboxQueue.Plan(sending: [], next: now.addingTimeInterval(3)))
  }

  @Test func `a server that cannot is asked six times`() {
    var current = operation(1, [1])
    for attempt in 1...6 {
      switch judge(current, BelfryError(.unavailable, status: 503)) {
      case .again(let next):
        #expect(attempt < 6)
        #expect(next.notBefore > now)
        current = next
      case let verdict:
        #expect(attempt == 6)
        #expect(verdict == .failed)
      }
    }
  }

  @Test func `without a network nothing is given up`() {
    var current = operation(1, [1])
    for _ in 0..<1_000 {
      guard case .again(let next) = judge(current, BelfryError(.offline)) else {
        Issue.record("given up")
        return
      }
      current = next
    }
  }

  @Test func `a server that says when is asked then, and by nobody before`() {
    var queue = InboxQueue()
    let error = BelfryError(.rateLimited, status: 429, retryAfter: .seconds(20))
    let verdict = queue.judge(sent(operation(1, [1])), error, now: now, timing: ClientTiming(), jitter: jitter)
    guard case .again(let next) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(next.notBefore >= now.addingTimeInterval(20))
    let plan = queue.plan([next, operation(2, [2])], now: now.addingTimeInterval(19))
    #expect(plan == InboxQueue.Plan(sending: [], next: next.notBefore))
    #expect(queue.plan([next, operation(2, [2])], now: next.notBefore).sending == [1, 2])
  }

  @Test func `each failure has its verdict`() {
    #expect(judge(operation(1, [1], .remove), BelfryError(.notFound, status: 404)) == .done)
    #expect(judge(operation(1, [1]), BelfryError(.notFound, status: 404)) == .gone)
    #expect(judge(operation(1, [1], .perform("A")), BelfryError(.notFound, status: 404)) == .failed)
    #expect(judge(operation(1, [1, 2]), BelfryError(.invalid, status: 400)) == .apart)
    #expect(judge(operation(1, [1]), BelfryError(.invalid, status: 400)) == .failed)
    #expect(judge(operation(1, [1, 2], isAll: true), BelfryError(.invalid, status: 400)) == .failed)
    #expect(judge(operation(1, [1]), BelfryError(.unauthorized, status: 401)) == .failed)
    #expect(judge(operation(1, [1]), BelfryError(.ended)) == .failed)
  }
}
