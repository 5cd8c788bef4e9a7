import Foundation
import NotificationModel
import NotificationQueue
import Testing

/// Values that several tests start from.
enum TestMessage {
  static func user() throws -> UserID {
    try #require(UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"))
  }

  static func content(_ title: String) throws -> NotificationContent {
    let type = try #require(try Catalogue().type(.code(10)))
    return NotificationContent(
      type: type,
      text: type.template.render(title: title, body: "B", data: [:]),
      data: ["amount": "$1"],
      relatedEntityType: nil,
      relatedEntityId: "7",
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
    )
  }

  /// Three deliveries, each with a content of its own: A, B, C.
  static func dispatch() throws -> DispatchMessage {
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    let user = try user()
    return DispatchMessage(
      attempt: 2,
      failingSince: Date(timeIntervalSince1970: 1_800_000_000.125),
      recheck: true,
      contents: try ["A", "B", "C"].map(content),
      deliveries: (0..<3).map { index in
        DispatchMessage.Delivery(
          notificationId: NotificationID(request: request, recipient: user),
          userId: user,
          content: index,
          badge: index,
          targets: [.init(id: "device-\(index)", address: "token-\(index)", platform: 2)]
        )
      }
    )
  }
}
