import Foundation
import NotificationModel
import Testing

@testable import PushDispatcher

@Suite struct PushServiceRecordTests {
  private let record = PushServiceRecord()
  private let start = ContinuousClock.now

  private func refused(_ users: Int, at seconds: Int) -> [PushServiceRecord.Fault] {
    (0..<users).map { _ in record.refused(UserID(UUID()), at: start + .seconds(seconds)) }
  }

  @Test func `where others are accepted, one refusal is about the subscription`() {
    record.accepted(at: start)
    #expect(refused(1, at: 3_599) == [.subscription])
    record.accepted(at: start + .seconds(3_599))
    #expect(refused(1, at: 3_600) == [.subscription])
  }

  @Test func `where nobody was accepted, a single user's refusals stop nobody, however many`() {
    let user = UserID(UUID())
    for _ in 0..<100 { #expect(record.refused(user, at: start) == .unknown) }
  }

  @Test func `several users without anybody accepted for a while are our fault`() {
    #expect(refused(4, at: 0) == [.unknown, .unknown, .ours, .ours])
    record.accepted(at: start)
    #expect(refused(3, at: 59) == [.subscription, .unknown, .unknown])
    #expect(refused(1, at: 60) == [.ours])
  }

  @Test func `many in a row are, though somebody was just accepted`() {
    record.accepted(at: start)
    #expect(refused(11, at: 1).suffix(3) == [.unknown, .ours, .ours])
    record.accepted(at: start + .seconds(1))
    #expect(refused(1, at: 2) == [.subscription])
  }

  @Test func `who was refused is tried again only where nobody else is`() throws {
    let users = (0..<3).map { _ in UserID(UUID()) }
    #expect(users.map { record.refused($0, at: start) }.last == .ours)
    #expect(record.stop.stop("HTTP 403", at: start))
    let later = start + .seconds(60)
    for user in users { #expect(record.wait(for: user, at: later)?.time == .seconds(60)) }
    #expect(record.wait(for: UserID(UUID()), at: later) == nil)
    #expect(record.wait(for: UserID(UUID()), at: later + .seconds(1))?.time == .seconds(59))
    #expect(record.wait(for: users[0], at: later + .seconds(119))?.time == .seconds(1))
    #expect(record.wait(for: users[0], at: later + .seconds(120)) == nil)
  }

  @Test func `an acceptance of long ago says nothing`() {
    record.accepted(at: start)
    #expect(refused(1, at: 3_600) == [.unknown])
  }

  @Test func `a limit that several users in a row meet is the push service's on us all`() {
    let user = UserID(UUID())
    func limited(_ user: UserID = UserID(UUID()), at seconds: Int) -> Bool {
      record.limited(user, at: start + .seconds(seconds))
    }
    for _ in 0..<10 { #expect(!limited(user, at: 0)) }
    #expect(!limited(at: 0))
    #expect(limited(at: 59))
    #expect(!limited(at: 59) && !limited(at: 59), "they are counted anew")
    record.accepted(at: start)
    #expect(!limited(at: 59))
    #expect(!limited(at: 119) && !limited(at: 178))
    #expect(!limited(at: 179), "not within a minute")
  }

  @Test func `refusals that users can bring about are no problem of the operator's`() {
    #expect(refused(20, at: 0).last == .ours)
    #expect(record.stop.stop("HTTP 403", at: start))
    #expect(record.stop.reason(at: start) == "HTTP 403")
    #expect(record.problem(at: start) == nil)
    // One that is known, but whose subscription is another one.
    record.accepted(1, at: start)
    #expect(refused(20, at: 1).last == .ours)
    #expect(record.refused(UserID(UUID()), 2, at: start + .seconds(1)) == .ours)
    #expect(record.problem(at: start + .seconds(1)) == nil)
  }

  @Test func `that a subscription is refused which was accepted before is a problem, until one is accepted`() {
    record.accepted(1, at: start)
    record.accepted(2, at: start)
    #expect(refused(2, at: 60) == [.subscription, .unknown])
    #expect(record.refused(UserID(UUID()), 1, at: start + .seconds(60)) == .ours)
    #expect(record.stop.stop("HTTP 403", at: start + .seconds(60)))
    #expect(record.problem(at: start + .seconds(60)) == "HTTP 403")
    record.accepted(at: start + .seconds(61))
    #expect(record.problem(at: start + .seconds(61)) == nil)
  }

  @Test func `so is a refusal by whose date our clock is wrong`() {
    #expect(refused(2, at: 0) == [.unknown, .unknown])
    #expect(record.refused(UserID(UUID()), isClockWrong: true, at: start) == .ours)
    #expect(record.stop.stop("HTTP 401", at: start))
    #expect(record.problem(at: start) == "HTTP 401")
  }

  @Test func `a stop lapses if nobody was refused for some minutes, and so do the refusals before`() {
    record.accepted(1, at: start - .seconds(3_600))
    #expect(refused(3, at: 0).last == .ours)
    #expect(record.refused(UserID(UUID()), 1, at: start) == .ours)
    #expect(record.stop.stop("HTTP 403", at: start))
    #expect(record.stop.wait(at: start + .seconds(240)) == nil, "one is tried, and nothing is said of it")
    #expect(record.problem(at: start + .seconds(299)) == "HTTP 403")
    #expect(record.problem(at: start + .seconds(300)) == nil)
    #expect(record.wait(for: UserID(UUID()), at: start + .seconds(300)) == nil)
    #expect(record.wait(for: UserID(UUID()), at: start + .seconds(300)) == nil)
    #expect(refused(2, at: 300) == [.unknown, .unknown])
    #expect(record.stop.stop("HTTP 403", at: start + .seconds(300)), "it is news again")
  }

  @Test func `records are kept by host, up to a bound, and those that are stopped longest`() {
    let records = PushServiceRecords()
    #expect(records["a"] === records["a"] && records["a"] !== records["b"])
    #expect(records.problem == nil)
    records["b"].accepted(1)
    for _ in 0..<10 { _ = records["b"].refused(UserID(UUID()), 1) }
    #expect(records["b"].stop.stop("HTTP 403"))
    #expect(records.problem == "webPush b: HTTP 403")
    let (a, b) = (records["a"], records["b"])
    let c = records["c"]
    c.accepted()
    // Names that somebody has made up.
    for number in 0..<3 * PushServiceRecords.maximumCount { _ = records["\(number)"] }
    #expect(records["a"] !== a)
    #expect(records["b"] === b)
    #expect(records["c"] === c)
    for number in 0..<PushServiceRecords.maximumCount { records["accepted \(number)"].accepted() }
    #expect(records["b"] === b)
    #expect(records["c"] !== c)
  }

  @Test func `names that somebody has made up leave room for others, though all of them are stopped`() {
    let records = PushServiceRecords()
    let real = records["real"]
    real.accepted()
    for number in 0..<2 * PushServiceRecords.maximumCount { _ = records["\(number)"].stop.stop("HTTP 403") }
    #expect(records["real"] === real)
    #expect(records["new"] === records["new"])
    #expect(records.problem == nil)
  }
}
