import BelfryClient
import Foundation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

#if canImport(UIKit)
  import UIKit
  import UserNotifications
#else
  import AppleDeclarations
#endif

@MainActor
class NotificationManager: NSObject, ObservableObject {
  static let shared = NotificationManager(client: { SignalRManager.shared.client })

  @Published var notificationPermissionStatus: UNAuthorizationStatus = .notDetermined
  @Published var unreadNotificationCount: Int = 0

  private let client: @MainActor () -> BelfryClient?

  /// - Parameter client: Of the signed-in user; nil while nobody is.
  init(client: @escaping @MainActor () -> BelfryClient?) {
    self.client = client
    super.init()
    UNUserNotificationCenter.current().delegate = self
  }

  /// Asks the user, and asks for a token if the answer is yes.
  func requestPermission() async throws -> Bool {
    let granted = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge])
    if granted { await registerForRemoteNotifications() }
    let settings = await UNUserNotificationCenter.current().notificationSettings()
    notificationPermissionStatus = settings.authorizationStatus
    return granted
  }

  /// The system answers with a token, in the app's delegate.
  func registerForRemoteNotifications() async {
    UIApplication.shared.registerForRemoteNotifications()
  }

  /// Registers the device with Belfry.
  ///
  /// - Parameter userId: The signed-in user's.
  /// - Throws: `BelfryError`, `unauthorized` while nobody is signed in.
  func registerDeviceToken(_ token: Data, userId: UUID) async throws {
    guard let client = client() else { throw BelfryError(.unauthorized) }
    let dto = DeviceTokenDTO(userId: userId, token: NativeDeviceToken(token).token, platform: "iOS")
    _ = try await client.rest.registerNativeDeviceToken(
      NativeDeviceToken(token),
      userId: dto.userId.uuidString.lowercased()
    )
  }

  func updateBadgeCount(_ count: Int) {
    UIApplication.shared.applicationIconBadgeNumber = count
    unreadNotificationCount = count
  }

  /// For the background refresh: the server's count. Belfry answers with an object, of which the client reads the count.
  func refreshBadgeCount() async throws {
    guard let client = client() else { throw BelfryError(.unauthorized) }
    updateBadgeCount(try await client.rest.getUnreadCount().count)
  }

  func clearAllNotifications() {
    UNUserNotificationCenter.current().removeAllDeliveredNotifications()
    updateBadgeCount(0)
  }

  /// Shows a notification of the app's own, for debugging.
  func scheduleLocalNotification(
    title: String,
    body: String,
    delay: TimeInterval = 1,
    data: [String: Any] = [:]
  ) async throws {
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    content.sound = .default
    content.userInfo = data
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: delay, repeats: false)
    let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: trigger)
    try await UNUserNotificationCenter.current().add(request)
  }
}

// MARK: - UNUserNotificationCenterDelegate

extension NotificationManager: UNUserNotificationCenterDelegate {
  /// Shows notifications while the app is in front, too.
  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler([.banner, .sound, .badge])
  }

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let userInfo = response.notification.request.content.userInfo
    var ids: [String: UUID] = [:]
    for name in ["transactionId", "childId", "goalId", "notificationId"] {
      ids[name] = (userInfo[name] as? String).flatMap(UUID.init(uuidString:))
    }
    let tapped = ids
    Task { @MainActor in await handleNotificationTap(tapped) }
    completionHandler()
  }

  /// Says where to go, and tells the server that the notification was opened and read.
  func handleNotificationTap(_ ids: [String: UUID]) async {
    let targets: [(Notification.Name, String)] = [
      (.navigateToTransaction, "transactionId"), (.navigateToChild, "childId"), (.navigateToGoal, "goalId"),
    ]
    if let (name, member) = targets.first(where: { ids[$0.1] != nil }), let id = ids[member] {
      NotificationCenter.default.post(name: name, object: nil, userInfo: [member: id])
    }
    updateBadgeCount(max(0, unreadNotificationCount - 1))
    guard let id = ids["notificationId"], let client = client() else { return }
    // Both are sent as soon as there is a network; the count is the server's and what is on its way.
    await client.opened(id)
    await client.markAsRead([id])
    if let count = await client.unreadCount { updateBadgeCount(count) }
  }
}

struct DeviceTokenDTO: Codable, Sendable {
  let userId: UUID
  let token: String
  let platform: String
}

extension Notification.Name {
  static let navigateToTransaction = Notification.Name("navigateToTransaction")
  static let navigateToChild = Notification.Name("navigateToChild")
  static let navigateToGoal = Notification.Name("navigateToGoal")
}
