import Foundation
import InAppDispatcher
import BelfryJSON
import NotificationModel
import NotificationQueue
import SignalRProtocol
import Testing
import WallClock

/// What became of notifications after they were delivered.
@Suite struct ChangeTests {
  private let anna = UserID.random()

  private func argument(_ message: HubMessage, of target: String) throws -> HubValue {
    guard case .invocation(nil, target, let arguments, _) = message, arguments.count == 1 else {
      throw TestConnection.Unexpected(what: "\(message)")
    }
    return arguments[0]
  }

  private func content() throws -> NotificationContent {
    try #require(try TestHub.notification(anna, seq: 1).contents.first)
  }

  @Test(arguments: HubProtocol.allCases)
  func `a change is sent whole, a deletion by its id, then the count, and to nobody else`(
    hubProtocol: HubProtocol
  ) async throws {
    try await TestHub.run { hub in
      let clients = [
        try await hub.connect(anna, as: hubProtocol),
        try await hub.connect(anna, as: hubProtocol, path: "/hub/family"),
      ]
      let bystander = try await hub.connect(.random(), as: hubProtocol)
      let (changed, deleted) = (NotificationID(UUID()), NotificationID(UUID()))
      let until = try #require(Date(rfc3339: "2026-11-23T07:00:00.250Z"))
      let own = NotificationDTO.Own(id: changed, seq: 4, seenAt: until - 60, snoozedUntil: until)
      try await hub.server.deliver([
        RealtimeMessage(
          contents: [try content()],
          events: [.init(.unread, userId: anna, unread: 5)],
          changes: [
            .init(userId: anna, state: .changed(own, content: 0)), .init(userId: anna, state: .deleted(deleted)),
            .init(userId: .random(), state: .deleted(changed)),
          ]
        )
      ])
      for client in clients {
        let sent = try argument(await client.message(as: hubProtocol), of: "NotificationChanged")
        #expect(sent["id"] == .string(changed.description))
        #expect(sent["seq"] == .integer(4))
        #expect(sent["isRead"] == .bool(false))
        #expect(sent["seenAt"]?.stringValue == own.seenAt?.rfc3339)
        #expect(sent["snoozedUntil"]?.stringValue == "2026-11-23T07:00:00.250Z")
        #expect(sent["title"]?.stringValue == #"Ünïcode "title""#)
        #expect(
          try argument(await client.message(as: hubProtocol), of: "NotificationDeleted")
            == .string(deleted.description)
        )
        #expect(try await client.message(as: hubProtocol).unreadCount == 5)
      }
      #expect(try await bystander.hasNothing())
      #expect(hub.server.statistics[.delivered] == 6)
    }
  }

  @Test func `a change does not disturb the order of new ones`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.connect(anna)
      try await hub.server.deliver([TestHub.notification(anna, seq: 5)])
      try await hub.server.deliver([
        RealtimeMessage(
          contents: [try content()],
          changes: [.init(userId: anna, state: .changed(.init(id: NotificationID(UUID()), seq: 2), content: 0))]
        )
      ])
      try await hub.server.deliver([TestHub.notification(anna, seq: 6)])
      var targets: [String] = []
      for _ in 0..<5 {
        guard case .invocation(nil, let target, _, _) = try await client.message(as: .json) else { continue }
        targets.append(target)
      }
      #expect(
        targets == [
          "ReceiveNotification", "UnreadCountChanged", "NotificationChanged", "ReceiveNotification",
          "UnreadCountChanged",
        ]
      )
    }
  }

  @Test func `a change without its content is dropped and spoils no other`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.connect(anna)
      let id = NotificationID(UUID())
      try await hub.server.deliver([
        RealtimeMessage(changes: [
          .init(userId: anna, state: .changed(.init(id: id, seq: 1), content: 0)),
          .init(userId: anna, state: .deleted(id)),
        ])
      ])
      #expect(try await client.message() == #"{"type":1,"target":"NotificationDeleted","arguments":["\#(id)"]}"#)
      #expect(hub.server.statistics[.undecodable] == 1)
    }
  }
}
