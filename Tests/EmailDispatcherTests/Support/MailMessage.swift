import Foundation
import NotificationModel
import NotificationQueue
import Testing

/// Messages to the email dispatcher, as routers write them.
enum MailMessage {
  /// One mail to each of the addresses.
  static func to(_ addresses: [String]) throws -> DispatchMessage {
    let type = try #require(try Catalogue().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Hello", body: "World", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: .now,
      expiresAt: .now + 3_600
    )
    let request = RequestID(now: .now)
    return DispatchMessage(
      recheck: false,
      contents: [content],
      deliveries: addresses.map { address in
        let user = UserID(UUID())
        return DispatchMessage.Delivery(
          notificationId: NotificationID(request: request, recipient: user),
          userId: user,
          content: 0,
          badge: 0,
          targets: [.init(id: address, address: address)]
        )
      }
    )
  }
}
