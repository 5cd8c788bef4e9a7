import Foundation

#if canImport(UIKit)
  import UserNotifications
#else
  import AppleDeclarations
#endif

protocol NotificationClientProtocol: Sendable {
  /// Stream notifications from the server
  func streamNotifications(_ userId: String) -> AsyncStream<[NotificationData]>

  /// Get notifications once
  func getNotifications(_ userId: String, limit: Int) async throws -> [NotificationData]

  /// Mark a notification as read
  func markAsRead(_ userId: String, notificationId: String) async throws

  /// Mark all notifications as read
  func markAllAsRead(_ userId: String) async throws

  /// Delete a notification
  func deleteNotification(_ userId: String, notificationId: String) async throws

  /// Register for remote notifications
  func registerForRemoteNotifications() async throws

  /// Handle device token for push notifications
  func handleDeviceToken(_ deviceToken: Data) async

  /// Request notification authorization
  func requestAuthorization() async throws -> Bool

  /// Get current authorization status
  func getAuthorizationStatus() async -> UNAuthorizationStatus

  /// Stream FCM token updates
  func streamFCMTokenUpdates() -> AsyncStream<String>
}
