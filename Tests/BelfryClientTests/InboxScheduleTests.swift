import Foundation
import Testing

@testable import BelfryClient

/// The counts that the inbox keeps as it goes along against counts made of the whole list, in any order of events.
struct InboxScheduleTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func action(_ random: inout Random) -> InboxOperation.Action {
    let actions: [InboxOperation.Action] = [
      .read, .unread, .archive, .unarchive, .remove, .seen, .opened, .snooze(until: now), .perform("A"),
    ]
    return actions.randomElement(using: &random) ?? .read
  }

  @Test(arguments: 0..<30)
  func `counts are those of the list`(seed: UInt64) {
    var random = Random(state: seed)
    var inbox = Inbox()
    var newest = 30
    var nextOperation = 0
    let first = (1...30).reversed().map { notification($0) }
    _ = inbox.take(
      NotificationPage(notifications: first, unreadCount: 30, hasMore: false),
      of: Inbox.main,
      asked: inbox.ask(),
      isFirst: true
    )
    for _ in 0..<400 {
      let id = notificationID(Int.random(in: 1...newest, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1:
        newest += 1
        inbox.receive(notification(newest))
      case 2: _ = inbox.read(id, now: now)
      case 3:
        _ = inbox.change(notification(Int.random(in: 1...newest, using: &random), isRead: .random(using: &random)))
      case 4: inbox.remove(id)
      case 5, 6:
        nextOperation += 1
        let ids = Set((0..<3).map { _ in notificationID(Int.random(in: 1...newest, using: &random)) })
        inbox.add(InboxOperation(id: nextOperation, action(&random), Array(ids), since: now))
        let asked = inbox.ask()
        inbox.update(nextOperation) { $0.asked = asked }
      case 7: if let operation = inbox.operations.randomElement(using: &random) { inbox.drop(operation.id) }
      case 8: if let operation = inbox.operations.randomElement(using: &random) { inbox.commit(operation.id) }
      default: inbox.forget(below: notificationID(Int.random(in: 1...4, using: &random)), asked: .max)
      }
      let ids = inbox.ids(from: SortedIDs.bottom)
      #expect(ids.count == inbox.size)
      #expect(inbox.knownUnread == ids.count { inbox.entry($0)?.item.isUnread == true })
      #expect(zip(ids, ids.dropFirst()).allSatisfy { $0.precedes($1) })
      let shown = ids.count { inbox[$0]?.isUnread == true }
      #expect(inbox.unreadCount == max(0, 30 + inbox.drift + shown - inbox.knownUnread))
    }
    // At rest the server's count is the list's.
    for operation in inbox.operations { inbox.drop(operation.id) }
    _ = inbox.takeCount(inbox.knownUnread, isAnswer: false)
    #expect(inbox.unreadCount == inbox.ids(from: SortedIDs.bottom).count { inbox[$0]?.isUnread == true })
  }
}
