import Broker
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import NotificationQueue

@Suite struct RealtimeChangeTests {
  private func id(_ user: UserID) -> NotificationID {
    NotificationID(request: RequestID(now: .now), recipient: user)
  }

  private func back(_ message: RealtimeMessage) throws -> RealtimeMessage {
    try QueueCoder.decode(from: BrokerMessage(body: QueueCoder.encode(message)))
  }

  @Test func `a change comes back as it was`() throws {
    let user = UserID(UUID())
    let times = (1...5).map { Date(timeIntervalSince1970: 1_800_000_000.125 + Double($0)) }
    let own = NotificationDTO.Own(
      id: id(user),
      seq: 7,
      readAt: times[0],
      seenAt: times[1],
      openedAt: times[2],
      archivedAt: times[3],
      snoozedUntil: times[4]
    )
    let bare = NotificationDTO.Own(id: id(user), seq: nil)
    let message = RealtimeMessage(
      contents: [try TestMessage.content("A")],
      changes: [
        .init(userId: user, state: .changed(own, content: 0)), .init(userId: user, state: .changed(bare, content: 0)),
        .init(userId: user, state: .deleted(own.id)),
      ]
    )
    let decoded = try back(message)
    #expect(decoded.contents == message.contents)
    #expect(decoded.changes.map(\.userId) == [user, user, user])
    #expect(decoded.changes.map(\.notificationId) == [own.id, bare.id, own.id])
    guard case .changed(let first, 0) = decoded.changes[0].state,
      case .changed(let second, 0) = decoded.changes[1].state,
      case .deleted = decoded.changes[2].state
    else {
      Issue.record("\(decoded.changes)")
      return
    }
    #expect(first.members == own.members)
    #expect(second.members == bare.members)
  }

  @Test func `a message without changes looks like that of the release before, and one of it has none`() throws {
    let message = RealtimeMessage(events: [.init(.unread, userId: UserID(UUID()), unread: 2)])
    #expect(!String(decoding: QueueCoder.encode(message), as: UTF8.self).contains("changes"))
    #expect(try back(message).changes.isEmpty)
  }

  @Test func `a state of a later version is passed over, and what else is said is read`() throws {
    let user = UserID(UUID())
    let text = """
      {"v":1,"contents":[],"events":[{"kind":"unread","userId":"\(user)","unread":3}],"changes":[
        {"userId":"\(user)","notificationId":"\(id(user))","state":"moved"},
        {"userId":"\(user)","notificationId":"\(id(user))","state":"deleted"}]}
      """
    let decoded = try QueueCoder.decode(RealtimeMessage.self, from: BrokerMessage(body: Array(text.utf8)))
    #expect(decoded.changes.count == 1)
    #expect(decoded.events.map(\.unread) == [3])
  }

  // MARK: Shards

  @Test func `each shard gets its users' changes in their order, with the contents that they need`() throws {
    let users = (0..<200).map { _ in UserID(UUID()) }
    let contents = try ["A", "B", "C"].map(TestMessage.content)
    let changes = users.enumerated().flatMap { number, user -> [RealtimeMessage.Change] in
      [
        .init(userId: user, state: .changed(.init(id: id(user), seq: 1), content: number % 2 * 2)),
        .init(userId: user, state: .deleted(id(user))),
      ]
    }
    let events = users.map { RealtimeMessage.Event(.unread, userId: $0, unread: 0) }
    let messages = RealtimeMessage.messages(changes: changes, contents: contents, events: events)
    #expect(Set(messages.map(\.0)).count == messages.count)
    var found: [UserID: [NotificationID]] = [:]
    for (shard, message) in messages {
      #expect(message.changes.allSatisfy { Shard.of($0.userId) == shard })
      #expect(message.events.map(\.userId) == users.filter { Shard.of($0) == shard })
      #expect(!message.contents.contains { $0.title == "B" })
      for change in message.changes {
        found[change.userId, default: []].append(change.notificationId)
        guard case .changed(_, let content) = change.state else { continue }
        let number = try #require(users.firstIndex(of: change.userId))
        #expect(message.contents[content].title == ["A", "C"][number % 2])
      }
    }
    #expect(found == Dictionary(grouping: changes, by: \.userId).mapValues { $0.map(\.notificationId) })
  }

  @Test func `changes and events share the contents of their message`() throws {
    let user = UserID(UUID())
    let contents = try ["A", "B", "C"].map(TestMessage.content)
    let messages = RealtimeMessage.messages(
      changes: [.init(userId: user, state: .changed(.init(id: id(user), seq: 1), content: 2))],
      contents: contents,
      events: [1, 2].map { .init(.notification(id(user), seq: nil, content: $0), userId: user, unread: 0) }
    )
    let message = try #require(messages.map(\.1).first)
    #expect(message.contents.map(\.title) == ["C", "B"])
    guard case .changed(_, content: 0)? = message.changes.first?.state else {
      Issue.record("points elsewhere")
      return
    }
    #expect(message.events.map { message.content(of: $0)?.title } == ["B", "C"])
  }

  @Test(arguments: [0, 1, 999, 1_000, 1_001, 2_500])
  func `many are cut, the events after the last change`(count: Int) throws {
    let user = UserID(UUID())
    let changes = (0..<count).map { _ in RealtimeMessage.Change(userId: user, state: .deleted(id(user))) }
    let events = (0..<3).map { RealtimeMessage.Event(.unread, userId: user, unread: $0) }
    let messages = RealtimeMessage.messages(changes: changes, contents: [], events: events).map(\.1)
    #expect(messages.flatMap(\.changes).map(\.notificationId) == changes.map(\.notificationId))
    #expect(messages.flatMap(\.events).map(\.unread) == [0, 1, 2])
    #expect(messages.allSatisfy { 1...RealtimeMessage.maximumItems ~= $0.changes.count + $0.events.count })
    let first = messages.firstIndex { !$0.events.isEmpty }
    #expect(messages.lastIndex { !$0.changes.isEmpty } ?? 0 <= first ?? 0)
    #expect(RealtimeMessage.messages(changes: [], contents: [], events: []).isEmpty)
  }
}
