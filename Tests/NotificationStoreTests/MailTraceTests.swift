import NotificationModel
import NotificationStore
import TestSupport
import Testing

/// Finding mails by what reports have of them.
struct MailTraceTests {
  private static func record(
    _ notification: NewNotification,
    _ target: String,
    channel: Channel = .email,
    providerID: String? = nil
  ) -> DeliveryStore.Record {
    DeliveryStore.Record(
      userID: notification.userID,
      notificationID: notification.id,
      channel: channel,
      target: target,
      outcome: .delivered,
      providerID: providerID,
      attempts: 1
    )
  }

  @Test func `a mail is found by its notification, by both ids, and by the provider's`() async throws {
    try await TestDatabase.with { client in
      let store = DeliveryStore(client: client)
      let (ann, ben) = (Sample.notification(Sample.user()), Sample.notification(Sample.user()))
      try await store.record([
        Self.record(ann, "ann@example.net", providerID: "provider-1"),
        Self.record(ann, "device", channel: .push, providerID: "provider-2"),
        Self.record(ben, "ben@example.net", providerID: "provider-3"),
      ])
      let annsMail = DeliveryStore.Mail(user: ann.userID, notification: ann.id, address: "ann@example.net")
      let bensMail = DeliveryStore.Mail(user: ben.userID, notification: ben.id, address: "ben@example.net")
      let found = try await store.mails([
        .init(notification: ann.id), .init(notification: ann.id, user: ann.userID),
        .init(notification: ann.id, user: ben.userID), .init(providerID: "provider-3"), .init(providerID: "provider-2"),
        .init(notification: Sample.notification(Sample.user()).id), .init(),
        .init(notification: ann.id, providerID: "provider-1"),
      ])
      #expect(found == [[annsMail], [annsMail], [], [bensMail], [], [], [], [annsMail]])
      #expect(try await store.mails([]) == [])
    }
  }
}
