import BelfryClient
import Foundation

#if canImport(UIKit)
  import UIKit
  import UserNotifications
#else
  import AppleDeclarations
#endif

/// The story's notifications: permission, token, what is suppressed, and where a tap leads.
@MainActor
final class NotificationService: NSObject {
  private static let tokenKey = "fcmToken"
  private static let installationKey = "installationId"

  /// The conversation on the screen; nil if it is none.
  private(set) var viewedConversationId: String?
  /// Why the last call to the server failed; nil if it did not.
  private(set) var lastError: (any Error)?

  private let client: BelfryClient
  private let defaults: UserDefaults

  init(client: BelfryClient, defaults: UserDefaults = .standard) {
    self.client = client
    self.defaults = defaults
    super.init()
    UNUserNotificationCenter.current().delegate = self
  }

  // MARK: Permission (tasks 4 and 15)

  /// Asks once, after the user has signed in. Who said no is not asked again: show "Enable notifications in Settings to receive
  /// alerts" with a button that calls ``openSettings()``.
  func requestPermission() async -> Bool {
    do {
      let granted = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge])
      if granted { UIApplication.shared.registerForRemoteNotifications() }
      return granted
    } catch {
      lastError = error
      return false
    }
  }

  func openSettings() async {
    if let url = URL(string: UIApplication.openSettingsURLString) { await UIApplication.shared.open(url) }
  }

  // MARK: Token (task 5)

  /// Sends the token of `Messaging.messaging()` to the server, at the start of the app and after each refresh. One that was sent
  /// already is not sent again; one that could not be sent is tried again the next time.
  func saveFCMToken(_ token: String) async {
    guard token != defaults.string(forKey: Self.tokenKey) else { return }
    do {
      let registration = DeviceRegistration(
        .token(token),
        installationId: installation,
        deviceName: UIDevice.current.name
      )
      _ = try await client.rest.registerDevice(registration)
      defaults.set(token, forKey: Self.tokenKey)
      lastError = nil
    } catch {
      lastError = error
    }
  }

  /// Before the user signs out: the device gets none of this user's pushes any more.
  func deleteFCMToken() async throws {
    guard let token = defaults.string(forKey: Self.tokenKey) else { return }
    try await client.rest.deleteCurrentDevice(address: token)
    defaults.removeObject(forKey: Self.tokenKey)
  }

  /// Says which token a new one replaces.
  private var installation: UUID {
    if let id = defaults.string(forKey: Self.installationKey).flatMap(UUID.init(uuidString:)) { return id }
    let id = UUID()
    defaults.set(id.uuidString, forKey: Self.installationKey)
    return id
  }

  // MARK: Suppression (task 6)

  /// While a chat is on the screen, the server sends no push about it, and one that is on its way is not shown.
  func startViewing(conversationId: String) async {
    viewedConversationId = conversationId
    await client.startViewing(RelatedEntity(type: "Conversation", id: conversationId))
  }

  func stopViewing(conversationId: String) async {
    // Another chat may be on the screen by now.
    guard viewedConversationId == conversationId else { return }
    viewedConversationId = nil
    await client.stopViewing()
  }

  func isViewingConversation(_ conversationId: String) -> Bool {
    conversationId == viewedConversationId
  }
}

extension NotificationService: UNUserNotificationCenterDelegate {
  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    guard let conversationId = notification.request.content.userInfo["conversationId"] as? String else { return [] }
    return await isViewingConversation(conversationId) ? [] : [.banner, .sound]
  }

  // Tap (task 7)

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    didReceive response: UNNotificationResponse
  ) async {
    let userInfo = response.notification.request.content.userInfo
    let conversationId = userInfo["conversationId"] as? String
    let id = (userInfo["notificationId"] as? String).flatMap(UUID.init(uuidString:))
    await open(conversationId: conversationId, notification: id)
  }

  /// Goes to the chat first: that needs no network.
  func open(conversationId: String?, notification id: UUID?) async {
    if let conversationId {
      NotificationCenter.default.post(
        name: .navigateToConversation,
        object: nil,
        userInfo: ["conversationId": conversationId]
      )
    }
    if let id { await client.opened(id) }
  }
}

extension Notification.Name {
  static let navigateToConversation = Notification.Name("navigateToConversation")
}
