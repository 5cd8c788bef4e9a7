import BelfryClient
import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

@testable import LifeSignalSample

extension EndToEndTests {
  /// LifeSignal's client and MessageAI's service, on the running stack.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct SampleStreamTests {
    @Test func `the stream has what happens, and what is done to it`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let bob = try await belfry.makeUser(platforms: [])
        let client = try belfry.client(of: ann)
        let notifications = BelfryNotificationClient(
          client: client,
          userId: ann.id.description,
          installationId: UUID()
        )
        let user = ann.id.description
        let stream = notifications.streamNotifications(user)
        await client.connect()
        for (event, role) in [("ContactAdded", "responder"), ("ContactRoleChanged", "dependent")] {
          try await belfry.report(
            event,
            #"{"userId":"\#(bob.id)","userName":"Bob","contactId":"\#(ann.id)","contactName":"Ann","role":"\#(role)"}"#
          )
        }
        var state = NotificationFeature.State()
        for await list in stream {
          state.notificationsUpdated(list)
          if list.count == 2 { break }
        }
        #expect(Set(state.notifications.map(\.type)) == [.added, .role] && state.unreadCount == 2)
        #expect(state.notifications.allSatisfy { $0.relatedContactID == bob.id.description })
        #expect(state.notifications.compactMap { $0.contactData?.name } == ["Bob", "Bob"])

        let first = try #require(state.notifications.first)
        try await notifications.markAsRead(user, notificationId: first.id)
        #expect(try await belfry.unreadCount(of: ann) == 1)
        try await notifications.markAllAsRead(user)
        #expect(try await belfry.unreadCount(of: ann) == 0)
        for await list in notifications.streamNotifications(user) {
          let isAllRead = list.allSatisfy(\.isRead)
          #expect(isAllRead && list.count == 2)
          break
        }
        try await notifications.deleteNotification(user, notificationId: first.id)
        for await list in notifications.streamNotifications(user) where list.count == 1 {
          #expect(list.first?.id != first.id)
          break
        }
        try await eventually("the server has deleted it", within: .seconds(30)) {
          let path = "/api/v1/notifications/\(first.id.lowercased())"
          return try await belfry.call("GET", path, token: ann.token).status == 404
        }
        await client.signOut()
      }
    }

    @Test func `both of its tokens are devices of one installation`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let client = try belfry.client(of: ann)
        let notifications = BelfryNotificationClient(
          client: client,
          userId: ann.id.description,
          installationId: UUID()
        )
        await notifications.handleDeviceToken(Data((0..<32).map { UInt8($0 * 3) }))
        try await notifications.handleFCMToken("sample-\(UUID())")
        let devices = try await client.rest.listDevices()
        #expect(Set(devices.map(\.kind)) == ["apns", "fcm"] && Set(devices.map(\.installationId)).count == 1)
      }
    }
  }
}
