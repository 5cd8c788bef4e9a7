import Foundation
import Testing

@testable import Dispatching

/// A quota that two workers have together: transactional mails and bulk mails to one mail server.
@Suite struct SharedTokensTests {
  private let start = ContinuousClock.now
  /// When the start is over.
  private var later: ContinuousClock.Instant { start + TokenBucket.ramp * 2 }

  private func taken(_ member: SharedTokens.Member, atMost most: Int = 1_000) -> Int {
    for count in 0..<most where member.take(at: later) != nil { return count }
    return most
  }

  @Test func `what one takes is not another's`() {
    let quota = SharedTokens(rate: 100, now: start)
    #expect(taken(quota.member(), atMost: 60) == 60)
    #expect(taken(quota.member()) == 40)
    quota.member().giveBack()
    #expect(taken(quota.member()) == 1)
  }

  @Test func `a backlog leaves the others half of a second's calls`() {
    let quota = SharedTokens(rate: 100, now: start)
    #expect(taken(quota.member(leavesHalf: true)) == 50)
    #expect(taken(quota.member()) == 50)
  }

  @Test func `of less than a call a second there is no half to leave`() {
    let quota = SharedTokens(rate: 0.5, now: start)
    #expect(taken(quota.member(leavesHalf: true)) == 1)
  }

  @Test func `scopes of two workers wait for the one quota`() {
    let quota = SharedTokens(rate: 2, now: start)
    var permits = [quota.member(), quota.member(leavesHalf: true)].map { member in
      ScopePermits(count: 10, rate: 2, maximumScopes: 8, jitter: FullJitter { 0.5 }, quota: member) { now in
        ScopeControl(sparesQuarterHours: false, jitter: FullJitter { 0.5 }, now: now)
      }
    }
    func isAdmitted(_ worker: Int) -> Bool {
      let step = permits[worker].step(
        for: ProviderScope("mail"),
        isRetry: false,
        atHead: true,
        at: later,
        date: Date(timeIntervalSince1970: 0)
      )
      if case .decided(.admitted) = step { return true } else { return false }
    }
    #expect(isAdmitted(0))
    #expect(!isAdmitted(1))
    #expect(isAdmitted(0))
    #expect(!isAdmitted(0))
  }
}
