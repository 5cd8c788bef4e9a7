import Foundation
import Testing

@testable import BelfryClient

struct InboxTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func page(_ numbers: [Int], unread: Int?, more: Bool = false) -> NotificationPage {
    NotificationPage(notifications: numbers.map { notification($0) }, unreadCount: unread, hasMore: more)
  }

  /// With a first page, the newest one first.
  private func inbox(_ numbers: [Int], unread: Int, more: Bool = false) -> Inbox {
    var inbox = Inbox()
    let asked = inbox.ask()
    _ = inbox.take(page(numbers, unread: unread, more: more), of: Inbox.main, asked: asked, isFirst: true)
    return inbox
  }

  private func shown(_ inbox: Inbox, _ filter: NotificationFilter = Inbox.main) -> [Int64] {
    inbox.list(filter).compactMap(\.seq)
  }

  private func operation(_ id: Int, _ action: InboxOperation.Action, _ numbers: [Int], isAll: Bool = false)
    -> InboxOperation
  {
    InboxOperation(id: id, action, numbers.map(notificationID), isAll: isAll, since: now)
  }

  // MARK: Edges

  @Test func `the greatest numbers there are break nothing`() {
    var inbox = Inbox()
    let kept = CachedInbox(
      notifications: [
        BelfryNotification(
          id: notificationID(1),
          seq: .max,
          type: .min,
          typeName: "",
          title: "",
          body: "",
          createdAt: now
        )
      ],
      lastSeq: .max,
      unreadCount: .max,
      hasMore: true
    )
    inbox.restore(kept)
    inbox.receive(notification(2))
    inbox.advance()
    let asked = inbox.ask()
    _ = inbox.take(page([5, 4], unread: 1 << 53, more: true), of: Inbox.main, asked: asked, isFirst: true)
    inbox.receive(notification(6))
    #expect(inbox.unreadCount == (1 << 53) + 1)
    inbox.add(operation(1, .read, [4, 5, 6]))
    #expect(inbox.unreadCount == (1 << 53) - 2)
  }

  @Test func `what a page has before the hub sends it is still to be sent`() {
    var inbox = inbox([2, 1], unread: 2)
    inbox.advance()
    let asked = inbox.ask()
    _ = inbox.take(page([4, 3, 2, 1], unread: 4), of: Inbox.main, asked: asked, isFirst: true)
    inbox.receive(notification(3))
    inbox.advance()
    #expect(inbox.lastSeq == 3)
    inbox.receive(notification(4))
    inbox.advance()
    #expect(inbox.lastSeq == 4)
    #expect(inbox.unreadCount == 4)
  }

  @Test func `archiving ends a snooze, and snoozing takes out of the archive`() {
    var inbox = inbox([2, 1], unread: 2)
    inbox.add(operation(1, .snooze(until: now), [1]))
    inbox.add(operation(2, .archive, [1]))
    #expect(inbox[notificationID(1)]?.place == .archived)
    #expect(inbox[notificationID(1)]?.snoozedUntil == nil)
    inbox.add(operation(3, .snooze(until: now), [1]))
    #expect(inbox[notificationID(1)]?.place == .snoozed)
    inbox.add(operation(4, .read, [1]))
    #expect(inbox.unreadCount == 1)
    inbox.add(operation(5, .unsnooze, [1]))
    #expect(inbox[notificationID(1)]?.isUnread == true)
    #expect(inbox.unreadCount == 2)
  }

  @Test func `an operation lies where its id says`() {
    var inbox = inbox([1], unread: 1)
    inbox.add(operation(10, .unread, [1]))
    inbox.add(operation(5, .read, [1]))
    #expect(inbox[notificationID(1)]?.isRead == false)
    #expect(inbox.operations.map(\.id) == [5, 10])
    inbox.drop(10)
    #expect(inbox[notificationID(1)]?.isRead == true)
    #expect(inbox.unreadCount == 0)
  }

  // MARK: Pages

  @Test func `the first page is the list, the count and where to resume`() {
    let inbox = inbox([5, 4, 3], unread: 7, more: true)
    #expect(shown(inbox) == [5, 4, 3])
    #expect(inbox.unreadCount == 7)
    #expect(inbox.lastSeq == 5)
    #expect(inbox.hasMore(Inbox.main))
  }

  @Test func `an empty inbox resumes from the start`() {
    let inbox = inbox([], unread: 0)
    #expect(inbox.lastSeq == 0)
    #expect(inbox.unreadCount == 0)
    #expect(!inbox.hasMore(Inbox.main))
  }

  @Test func `older pages go on below, and change no count by themselves`() {
    var inbox = inbox([5, 4], unread: 5, more: true)
    let asked = inbox.ask()
    // The count of this page is older than what is sent meanwhile.
    inbox.receive(notification(6))
    _ = inbox.takeCount(6, isAnswer: false)
    #expect(inbox.take(page([3, 2], unread: 5, more: true), of: Inbox.main, asked: asked, isFirst: false) == true)
    #expect(shown(inbox) == [6, 5, 4, 3, 2])
    #expect(inbox.unreadCount == 6)
  }

  @Test func `a page that leads nowhere is the last one`() {
    var inbox = inbox([5, 4], unread: 2, more: true)
    let asked = inbox.ask()
    _ = inbox.take(page([5, 4], unread: 2, more: true), of: Inbox.main, asked: asked, isFirst: false)
    #expect(!inbox.hasMore(Inbox.main))
  }

  @Test func `what a page does not have any more is gone`() {
    var inbox = inbox([5, 4, 3], unread: 3)
    let asked = inbox.ask()
    _ = inbox.take(page([5, 3], unread: 2), of: Inbox.main, asked: asked, isFirst: true)
    #expect(shown(inbox) == [5, 3])
    #expect(inbox.unreadCount == 2)
  }

  @Test func `an answer changes nothing that was sent after its question`() {
    var inbox = inbox([5, 4, 3], unread: 3)
    let asked = inbox.ask()
    #expect(inbox.read(notificationID(4), now: now) == false)
    _ = inbox.takeCount(2, isAnswer: false)
    inbox.remove(notificationID(3))
    inbox.receive(notification(6))
    let isCounted = inbox.take(page([5, 4, 3], unread: 3), of: Inbox.main, asked: asked, isFirst: true)
    #expect(!isCounted)
    #expect(shown(inbox) == [6, 5, 4])
    #expect(inbox[notificationID(4)]?.isRead == true)
    #expect(inbox.unreadCount == 2)
  }

  @Test func `after a gap the older part is asked for anew`() {
    var inbox = inbox([5, 4, 3], unread: 3)
    let asked = inbox.ask()
    _ = inbox.take(page([90, 89], unread: 80, more: true), of: Inbox.main, asked: asked, isFirst: true)
    #expect(shown(inbox) == [90, 89])
    #expect(inbox.lastSeq == 90)
    #expect(inbox.unreadCount == 80)
    #expect(inbox.hasMore(Inbox.main))
  }

  @Test func `what was read beyond the first page stays through a refresh`() {
    var inbox = inbox([6, 5], unread: 4, more: true)
    var asked = inbox.ask()
    _ = inbox.take(page([4, 3], unread: 4), of: Inbox.main, asked: asked, isFirst: false)
    asked = inbox.ask()
    _ = inbox.take(page([7, 6], unread: 5, more: true), of: Inbox.main, asked: asked, isFirst: true)
    #expect(shown(inbox) == [7, 6, 5, 4, 3])
    #expect(!inbox.hasMore(Inbox.main))
  }

  @Test func `each filter is a list of its own`() {
    var inbox = inbox([5, 4], unread: 2)
    let archived = NotificationFilter(place: .archived)
    #expect(shown(inbox, archived).isEmpty)
    let asked = inbox.ask()
    let items = [notification(3, archivedAt: now), notification(1, archivedAt: now)]
    let page = NotificationPage(notifications: items, unreadCount: 2, hasMore: false)
    _ = inbox.take(page, of: archived, asked: asked, isFirst: true)
    #expect(shown(inbox, archived) == [3, 1])
    #expect(shown(inbox) == [5, 4])
    inbox.markSynced(Inbox.main)
    #expect(!inbox.view(archived).isLoaded)
    #expect(inbox.view(Inbox.main).isLoaded)
  }

  // MARK: What is sent

  @Test func `a new one is counted until the count comes`() {
    var inbox = inbox([5], unread: 1)
    #expect(inbox.receive(notification(6)) == true)
    #expect(inbox.unreadCount == 2)
    #expect(inbox.takeCount(2, isAnswer: false) == true)
    #expect(inbox.unreadCount == 2)
    #expect(inbox.receive(notification(6)) == false)
    #expect(inbox.unreadCount == 2)
  }

  @Test func `a deleted one never comes back`() {
    var inbox = inbox([5], unread: 1)
    inbox.remove(notificationID(5))
    #expect(inbox.receive(notification(5)) == false)
    #expect(inbox.change(notification(5)) == true)
    inbox.revise(notification(5), asked: inbox.ask())
    #expect(shown(inbox).isEmpty)
    #expect(inbox.unreadCount == 0)
  }

  @Test func `a count that was not expected is told`() {
    var inbox = inbox([5], unread: 1)
    #expect(inbox.takeCount(9, isAnswer: false) == false)
    #expect(inbox.takeCount(-1, isAnswer: false) == nil)
    #expect(inbox.unreadCount == 9)
  }

  @Test func `a count of none reads all`() {
    var inbox = inbox([5, 4, 3], unread: 3)
    _ = inbox.takeCount(0, isAnswer: false)
    inbox.readAll(now: now)
    let list = inbox.list(Inbox.main)
    #expect(list.allSatisfy { $0.isRead })
    #expect(inbox.unreadCount == 0)
  }

  @Test func `changes of the older part are counted by the server alone`() {
    var inbox = inbox([5, 4], unread: 1)
    let asked = inbox.ask()
    inbox.revise(notification(4, isRead: true), asked: asked)
    inbox.forget(notificationID(5))
    #expect(inbox.unreadCount == 1)
    #expect(shown(inbox) == [4])
  }

  // MARK: What the user does

  @Test func `an operation is on top, and taken back alone`() {
    var inbox = inbox([5, 4, 3], unread: 3)
    inbox.add(operation(1, .read, [5]))
    inbox.add(operation(2, .archive, [5, 4]))
    #expect(shown(inbox) == [3])
    #expect(inbox.unreadCount == 1)
    inbox.drop(2)
    #expect(shown(inbox) == [5, 4, 3])
    #expect(inbox[notificationID(5)]?.isRead == true)
    #expect(inbox.unreadCount == 2)
    inbox.drop(1)
    #expect(inbox.unreadCount == 3)
    #expect(!inbox.isConcerned(notificationID(5)))
  }

  @Test func `the hub's word about an own operation counts once, before or after the answer`() {
    for isFirst in [true, false] {
      var inbox = inbox([5, 4], unread: 2)
      inbox.add(operation(1, .read, [5]))
      let asked = inbox.ask()
      inbox.update(1) { $0.asked = asked }
      if isFirst {
        _ = inbox.read(notificationID(5), now: now)
        #expect(inbox.takeCount(1, isAnswer: false) == true)
        inbox.commit(1)
      } else {
        inbox.commit(1)
        _ = inbox.read(notificationID(5), now: now)
        #expect(inbox.takeCount(1, isAnswer: false) == true)
      }
      #expect(inbox.unreadCount == 1)
      #expect(inbox.operations.isEmpty)
    }
  }

  @Test func `what came since an operation was sent is newer than its answer`() {
    var inbox = inbox([5], unread: 1)
    inbox.add(operation(1, .read, [5]))
    let asked = inbox.ask()
    inbox.update(1) { $0.asked = asked }
    _ = inbox.change(notification(5))
    inbox.commit(1)
    #expect(inbox[notificationID(5)]?.isRead == false)
  }

  @Test func `all are read, those too that are not known`() {
    var inbox = inbox([5, 4], unread: 40, more: true)
    inbox.add(operation(1, .read, [5, 4], isAll: true))
    #expect(inbox.unreadCount == 0)
    let asked = inbox.ask()
    inbox.update(1) { $0.asked = asked }
    inbox.commit(1)
    #expect(inbox.unreadCount == 0)
  }

  @Test func `one that is being deleted is not in the list, and stays away`() {
    var inbox = inbox([5, 4], unread: 2)
    inbox.add(operation(1, .remove, [5]))
    #expect(shown(inbox) == [4])
    #expect(inbox.unreadCount == 1)
    inbox.drop(1)
    #expect(shown(inbox) == [5, 4])
    inbox.add(operation(2, .remove, [5]))
    let asked = inbox.ask()
    inbox.update(2) { $0.asked = asked }
    inbox.commit(2)
    #expect(inbox.receive(notification(5)) == false)
    #expect(inbox.unreadCount == 1)
  }

  @Test func `what changed is named once, and more than is remembered is all`() {
    var inbox = inbox([5, 4], unread: 2)
    _ = inbox.takeTouched()
    inbox.receive(notification(6))
    inbox.add(operation(1, .read, [6, 5]))
    #expect(inbox.takeTouched() == [notificationID(6), notificationID(5)])
    #expect(inbox.takeTouched() == [])
    for number in 100..<700 { inbox.receive(notification(number)) }
    #expect(inbox.takeTouched() == nil)
    #expect(inbox.takeTouched() == [])
  }

  @Test func `beyond what is kept the older half goes`() {
    var inbox = inbox([1], unread: 1)
    for number in 2...(Inbox.maximumKept + 1) { inbox.receive(notification(number)) }
    #expect(inbox.size == Inbox.maximumKept / 2)
    #expect(inbox.hasMore(Inbox.main))
    #expect(inbox.unreadCount == Inbox.maximumKept + 1)
    #expect(shown(inbox).first == Int64(Inbox.maximumKept + 1))
  }

  @Test func `a notification is announced once`() {
    var inbox = Inbox()
    #expect(inbox.announce(notificationID(1)) == true)
    #expect(inbox.announce(notificationID(1)) == false)
  }

  @Test func `a count that cannot be is none`() {
    var inbox = Inbox()
    #expect(inbox.takeCount(Int.max, isAnswer: false) == nil)
    #expect(inbox.takeCount(1 << 53, isAnswer: false) == true)
    inbox.receive(notification(1))
    #expect(inbox.unreadCount == (1 << 53) + 1)
  }

  @Test func `the parts of the largest operation fit before the next one`() {
    #expect(Inbox.maximumKept * UserSession.idsOfPart < UserSession.idsApart)
    #expect(CallLimits().notificationIds < UserSession.idsOfPart)
  }
}
