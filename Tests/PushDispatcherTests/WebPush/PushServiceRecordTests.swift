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
    for _ in 0..<10 { #expect(!record.limited(user)) }
    #expect(!record.limited(UserID(UUID())))
    #expect(record.limited(UserID(UUID())))
    record.accepted()
    #expect(!record.limited(UserID(UUID())))
  }

  @Test func `records are kept by host, up to a bound, and those that are stopped longest`() {
    let records = PushServiceRecords()
    #expect(records["a"] === records["a"] && records["a"] !== records["b"])
    #expect(records.problem == nil)
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
}
