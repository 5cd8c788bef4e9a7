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

  @Test func `what a backlog starts anew after a trouble is its own part alone`() {
    let quota = SharedTokens(rate: 100, now: start)
    let (mails, bulk) = (quota.member(), quota.member(leavesHalf: true))
    bulk.restart(at: later)
    #expect(bulk.take(at: later) != nil)
    #expect(taken(mails, atMost: 90) == 90)
    func bulkTaken(at now: ContinuousClock.Instant) -> Int {
      (0..<1_000).first { _ in bulk.take(at: now) != nil } ?? 1_000
    }
    #expect(bulkTaken(at: later + .seconds(1)) == 10)
    // Once its start is over it has what it had.
    #expect(bulkTaken(at: later + TokenBucket.ramp) == 50)
    // The others' trouble is its trouble, too: it is one server.
    mails.restart(at: later + TokenBucket.ramp)
    #expect(bulkTaken(at: later + TokenBucket.ramp + .seconds(1)) == 0)
  }

  @Test func `of a call a second a backlog gets none while others wait`() {
    let quota = SharedTokens(rate: 1, now: start)
    let (mails, bulk) = (quota.member(), quota.member(leavesHalf: true))
    #expect(mails.take(at: later) == nil)
    #expect(mails.take(at: later + .milliseconds(900)) != nil)
    #expect(bulk.take(at: later + .milliseconds(1_100)) != nil)
    #expect(mails.take(at: later + .milliseconds(1_100)) == nil)
    // Nobody waits any more.
    #expect(bulk.take(at: later + .milliseconds(2_300)) == nil)
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
