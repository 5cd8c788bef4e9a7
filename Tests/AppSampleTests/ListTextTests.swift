import BelfryClient
import Foundation
import Testing

@testable import AppSample

struct ListTextTests {
  @Test(
    arguments: [
      (nil, nil, "Notifications"), (0, nil, "Notifications"), (-1, nil, "Notifications"),
      (1, "1", "Notifications, 1 unread"), (99, "99", "Notifications, 99 unread"),
      (100, "99+", "Notifications, 100 unread"), (12_345, "99+", "Notifications, 12345 unread"),
    ] as [(Int?, String?, String)]
  )
  func `the bell shows a count, and VoiceOver says all of it`(count: Int?, text: String?, label: String) {
    #expect(BellBadge(count).text == text)
    #expect(BellBadge(count).accessibilityLabel == label)
  }

  @Test func `a row says how long ago, then the time`() throws {
    let now = try date(2026, 11, 29, 15, 30)
    func time(_ seconds: Double) -> String {
      NotificationRow(sample(at: now.addingTimeInterval(-seconds)), now: now, calendar: calendar, locale: locale).time
    }
    #expect(
      [-100, 0, 59, 60, 3_599, 3_600, 86_400].map(time) == [
        "now", "now", "now", "1 min ago", "59 min ago", "14:30", "15:30",
      ]
    )
  }

  @Test func `a row without a title has its type's name`() {
    #expect(NotificationRow(sample(title: "")).title == "SystemAnnouncement")
  }

  @Test func `VoiceOver hears what matters first`() throws {
    let now = try date(2026, 11, 29, 15, 30)
    let row = NotificationRow(sample(priority: "high", at: now), now: now, calendar: calendar, locale: locale)
    #expect(row.accessibilityLabel == "Unread, Important, Dinner, is ready, now")
    let read = NotificationRow(sample(body: "", at: now, isRead: true), now: now, calendar: calendar, locale: locale)
    #expect(read.accessibilityLabel == "Dinner, now")
  }

  @Test func `a snoozed row says when it comes back`() throws {
    let until = try date(2026, 11, 30, 8)
    let row = NotificationRow(sample(snoozedUntil: until), calendar: calendar, locale: locale)
    let note = try #require(row.note)
    #expect(note.hasPrefix("Back 30 Nov 2026") && note.hasSuffix("8:00"))
  }

  @Test func `swipes fit the place`() {
    let archived = sample(archivedAt: Date())
    let snoozed = sample(snoozedUntil: Date())
    #expect(RowAction.trailing(sample()) == [.archive, .snooze, .delete])
    #expect(RowAction.trailing(archived) == [.unarchive, .delete])
    #expect(RowAction.trailing(snoozed) == [.archive, .delete])
    #expect(RowAction.leading(sample()) == [.markAsRead])
    #expect(RowAction.leading(sample(isRead: true)) == [.markAsUnread])
  }

  // MARK: Days

  @Test func `days are sections, with the names that people use`() throws {
    let now = try date(2026, 11, 29, 0, 30)
    let times = [
      now, try date(2026, 11, 28, 23, 59), try date(2026, 11, 28), try date(2026, 11, 26), try date(2026, 11, 23),
      try date(2026, 11, 22), try date(2025, 12, 24),
    ]
    let list = times.enumerated().map { sample($0.offset, at: $0.element) }
    let sections = DaySection.sections(list, now: now, calendar: calendar, locale: locale)
    #expect(
      sections.map(\.title) == [
        "Today", "Yesterday", "Thursday", "Monday", "22 November", "24 December 2025",
      ]
    )
    #expect(sections.map(\.notifications.count) == [1, 2, 1, 1, 1, 1])
    #expect(sections.flatMap(\.notifications) == list)
  }

  @Test func `a day that comes twice is one section`() throws {
    let (late, early) = (try date(2026, 11, 29, 0, 0), try date(2026, 11, 28, 23, 59))
    let list = [sample(3, at: late), sample(2, at: early), sample(1, at: late)]
    let sections = DaySection.sections(list, now: late, calendar: calendar, locale: locale)
    #expect(sections.map { $0.notifications.map(\.createdAt) } == [[late, late], [early]])
    #expect(Set(sections.map(\.id)).count == 2)
  }

  @Test func `days of 23 and 25 hours are days`() throws {
    for day in [try date(2026, 3, 29), try date(2026, 10, 25)] {
      let start = calendar.startOfDay(for: day)
      let end = try #require(calendar.date(byAdding: .day, value: 1, to: start))
      #expect(end.timeIntervalSince(start) != 86_400)
      let list = [sample(3, at: end), sample(2, at: end.addingTimeInterval(-1)), sample(1, at: start)]
      #expect(
        DaySection.sections(list, now: end, calendar: calendar, locale: locale).map(\.notifications.count) == [1, 2]
      )
    }
  }

  // MARK: Places without notifications

  @Test func `an empty list says why it is empty`() {
    func state(isEmpty: Bool = true, isLoaded: Bool = true, _ error: BelfryError.Code? = nil) -> ListState {
      ListState(isEmpty: isEmpty, isLoaded: isLoaded, error: error.map { BelfryError($0) }, filter: .init())
    }
    #expect(state(isEmpty: false, isLoaded: false, .offline) == .list)
    #expect(state(isLoaded: false) == .loading)
    guard case .failed(let offline) = state(isLoaded: false, .offline) else { return #expect(Bool(false)) }
    #expect(offline.title == "Offline")
    guard case .failed(let down) = state(isLoaded: false, .unavailable) else { return #expect(Bool(false)) }
    #expect(down.text == "The service cannot be reached now.")
    guard case .empty(let empty) = state(isLoaded: true, .offline) else { return #expect(Bool(false)) }
    #expect(empty.title == "No notifications")
  }

  @Test func `each tab has a title and a text of its own for nothing`() {
    let tabs: [NotificationTab] = [.all, .unread, .archived, .snoozed]
    let states = tabs.map { ListState(isEmpty: true, isLoaded: true, error: nil, filter: $0.filter) }
    for (index, state) in states.enumerated() { #expect(!states[..<index].contains(state)) }
    #expect(tabs.map(\.title) == ["All", "Unread", "Archived", "Snoozed"])
    #expect(NotificationTab(id: "bills", filter: NotificationFilter(category: "Bills")).title == "Bills")
  }

  @Test func `the line above the list is for what the list does not say`() {
    let forbidden = BelfryError(.forbidden)
    #expect(ListBanner(.connected, error: nil, isListed: true) == nil)
    #expect(ListBanner(.reconnecting, error: nil, isListed: false) == nil)
    #expect(ListBanner(.reconnecting, error: forbidden, isListed: true)?.canRetry == false)
    #expect(ListBanner(.unauthorized, error: nil, isListed: false)?.canRetry == true)
    #expect(ListBanner(.connected, error: forbidden, isListed: true)?.text == "You may not do that.")
    #expect(ListBanner(.connected, error: forbidden, isListed: false) == nil)
    #expect(ListBanner(.connected, error: BelfryError(.timeout), isListed: true)?.canRetry == true)
    #expect(ListBanner(.disconnected, error: BelfryError(.ended), isListed: true) == nil)
  }

  @Test func `every error has a text, and none has the server's own words but for a field`() {
    for code in BelfryError.Code.allCases {
      let text = BelfryError(code, detail: "secret detail").userText
      #expect(!text.isEmpty && !text.contains("secret"))
    }
  }

  @Test func `the undo bar counts`() {
    #expect([0, 1, 3].map(UndoText.text) == [nil, "Deleted", "3 deleted"])
  }
}
