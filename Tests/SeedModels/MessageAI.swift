package import Foundation

/// MessageAI, story 3.4: its app's user, what it sends of its FCM token, and what it reads from a push.
///
/// Its token goes into a Firestore document; with Belfry it is registered as a device.
package enum MessageAI {
  /// Lines 267 to 285, without what its Cloud Function alone needs.
  package struct User: Identifiable, Codable, Equatable {
    package let id: String
    package let displayName: String
    package let email: String?
    package var presence: String
    package var lastSeen: Date
    package var fcmToken: String?

    package init(
      id: String,
      displayName: String,
      email: String? = nil,
      presence: String = "offline",
      lastSeen: Date = Date(),
      fcmToken: String? = nil
    ) {
      self.id = id
      self.displayName = displayName
      self.email = email
      self.presence = presence
      self.lastSeen = lastSeen
      self.fcmToken = fcmToken
    }
  }

  /// Lines 437 to 457: what is written when the token changed, and nothing else. The user's document has room for one token;
  /// here the installation says which token a new one replaces.
  package struct FCMTokenUpdate: Codable {
    let token: String
    let platform: Int
    let installationId: UUID

    /// Nil of a token that is the cached one.
    package init?(token: String, cached: String?, installation: UUID) {
      guard token != cached else { return nil }
      self.token = token
      platform = 1
      installationId = installation
    }
  }

  /// Lines 597 to 608: the members of `data` in a push, all of them texts.
  package struct PushData: Codable, Equatable {
    package let conversationId: String
    package let senderId: String
    package let messageId: String
  }

  /// Lines 478 to 490 and 498 to 506: which conversation a push is about; nil of a push that is about none.
  package static func conversationId(in userInfo: [AnyHashable: Any]) -> String? {
    userInfo["conversationId"] as? String
  }

  /// Lines 588 to 594 and 600: how its Cloud Function titles a message and shortens it.
  package static func text(
    of message: String,
    from senderName: String?,
    isGroupChat: Bool,
    groupName: String?
  ) -> (title: String, body: String) {
    let sender = senderName ?? "Someone"
    return (isGroupChat ? "\(sender) in \(groupName ?? "group")" : sender, String(message.prefix(100)))
  }
}
