import Broker
import Foundation
import NotificationModel
import Testing

@testable import NotificationQueue

@Suite struct RealtimeEventTests {
  private func ids(_ count: Int) throws -> [NotificationID] {
    let user = try TestMessage.user()
    return (0..<count).map { _ in NotificationID(request: RequestID(now: .now), recipient: user) }
  }

  @Test func `each kind has its members in the message, and reads them again`() throws {
    let user = try TestMessage.user()
    let id = try ids(1)[0]
    let events = [
      (
        #""kind":"notification","userId":"\#(user)","notificationId":"\#(id)","content":4,"seq":7,"unread":3"#,
        RealtimeMessage.Event.Kind.notification(id, seq: 7, content: 4)
      ),
      (
        #""kind":"notification","userId":"\#(user)","notificationId":"\#(id)","content":0,"unread":3"#,
        .notification(id, seq: nil, content: 0)
      ),
      (#""kind":"read","userId":"\#(user)","notificationId":"\#(id)","unread":3"#, .read(id)),
      (#""kind":"unread","userId":"\#(user)","unread":3"#, .unread),
    ]
    for (members, kind) in events {
      let text = #"{"v":1,"contents":[],"events":[{\#(members)}]}"#
      let message = RealtimeMessage(events: [.init(kind, userId: user, unread: 3)])
      #expect(String(decoding: QueueCoder.encode(message), as: UTF8.self) == text)
      let back: RealtimeMessage = try QueueCoder.decode(from: BrokerMessage(body: Array(text.utf8)))
      #expect(back.events.map(\.kind) == [kind])
      #expect(back.events.map(\.userId) == [user])
      #expect(back.events.map(\.unread) == [3])
    }
  }

  @Test(arguments: [
    #""kind":"read""#, #""kind":"notification","content":0"#,
    #""kind":"notification","notificationId":"6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a50""#,
  ])
  func `an event that lacks what its kind needs is left out alone`(_ members: String) throws {
    let events = [members, #""kind":"unread""#].map {
      #"{"userId":"6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a51","unread":0,\#($0)}"#
    }
    let body = Array(#"{"v":1,"contents":[],"events":[\#(events.joined(separator: ","))]}"#.utf8)
    let message = try QueueCoder.decode(RealtimeMessage.self, from: BrokerMessage(body: body, type: "belfry.realtime"))
    #expect(message.events.map(\.kind) == [.unread])
  }

  @Test func `a kind that nobody knows is reported with its place`() throws {
    let event = #"{"userId":"\#(try TestMessage.user())","unread":0,"kind":"moved"}"#
    let body = Array(#"{"v":1,"contents":[],"events":[\#(event)]}"#.utf8)
    let error = #expect(throws: QueueMessageError.self) {
      try QueueCoder.decode(RealtimeMessage.self, from: BrokerMessage(body: body, type: "belfry.realtime"))
    }
    #expect(error?.description == "undecodable belfry.realtime: expected a kind of event at events[0].kind")
  }

  @Test func `each notification that was read is published, with the count that is left`() throws {
    let user = try TestMessage.user()
    let ids = try ids(3)
    let events = RealtimeMessage.Event.all(InboxUpdate(read: ids, unread: 4), of: user)
    #expect(events.map(\.kind) == ids.map { .read($0) })
    #expect(events.allSatisfy { $0.userId == user && $0.unread == 4 })
  }

  @Test func `where none is known by name the count alone is published`() throws {
    let events = RealtimeMessage.Event.all(InboxUpdate(unread: 7), of: try TestMessage.user())
    #expect(events.map(\.kind) == [.unread])
    #expect(events.map(\.unread) == [7])
  }
}
