import Foundation
import NotificationModel
import Testing

@testable import NotificationQueue

@Suite struct RealtimeEventTests {
  private func ids(_ count: Int) throws -> [NotificationID] {
    let user = try TestMessage.user()
    return (0..<count).map { _ in NotificationID(request: RequestID(now: .now), recipient: user) }
  }

  @Test func `each notification that was read is told, with the count that is left`() throws {
    let user = try TestMessage.user()
    let ids = try ids(3)
    let events = RealtimeMessage.Event.read(ids, count: 3, unread: 4, of: user)
    #expect(events.map(\.kind) == [.read, .read, .read])
    #expect(events.map(\.notificationId) == ids)
    #expect(events.allSatisfy { $0.userId == user && $0.unread == 4 })
  }

  @Test func `where not all are known by name the count alone is told, and nothing where none was read`() throws {
    let user = try TestMessage.user()
    let events = RealtimeMessage.Event.read(try ids(100), count: 101, unread: 0, of: user)
    #expect(events.map(\.kind) == [.unread])
    #expect(events.map(\.unread) == [0])
    #expect(RealtimeMessage.Event.read([], count: 0, unread: 7, of: user).isEmpty)
  }
}
