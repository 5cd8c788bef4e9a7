import Foundation

#if canImport(UIKit)
  import UserNotifications
#else
  import AppleDeclarations
#endif

/// For previews and tests: keeps its notifications in memory.
actor MockNotificationClient: NotificationClientProtocol {
  private var notifications: [NotificationData]
  private var readers: [UUID: AsyncStream<[NotificationData]>.Continuation] = [:]
  private let fcmTokens = FCMTokens()
  private(set) var deviceToken: Data?
  private var status = UNAuthorizationStatus.notDetermined

  init(_ notifications: [NotificationData] = []) {
    self.notifications = notifications
  }

  /// As if the server had sent it.
  func receive(_ notification: NotificationData) {
    change { $0.append(notification) }
  }

  nonisolated func streamNotifications(_ userId: String) -> AsyncStream<[NotificationData]> {
    let (stream, continuation) = AsyncStream<[NotificationData]>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    continuation.onTermination = { _ in Task { await self.remove(id) } }
    Task { await add(continuation, id) }
    return stream
  }

  func getNotifications(_ userId: String, limit: Int) async throws -> [NotificationData] {
    Array(notifications.sorted { $0.timestamp > $1.timestamp }.prefix(limit))
  }

  func markAsRead(_ userId: String, notificationId: String) async throws {
    change { list in
      if let index = list.firstIndex(where: { $0.id == notificationId }) { list[index].isRead = true }
    }
  }

  func markAllAsRead(_ userId: String) async throws {
    change { list in for index in list.indices { list[index].isRead = true } }
  }

  func deleteNotification(_ userId: String, notificationId: String) async throws {
    change { $0.removeAll { $0.id == notificationId } }
  }

  func registerForRemoteNotifications() async throws {}

  func handleDeviceToken(_ deviceToken: Data) async {
    self.deviceToken = deviceToken
  }

  func requestAuthorization() async throws -> Bool {
    status = .authorized
    return true
  }

  func getAuthorizationStatus() async -> UNAuthorizationStatus { status }

  nonisolated func streamFCMTokenUpdates() -> AsyncStream<String> { fcmTokens.stream() }

  private func change(_ body: (inout [NotificationData]) -> Void) {
    body(&notifications)
    for reader in readers.values { reader.yield(notifications.sorted { $0.timestamp > $1.timestamp }) }
  }

  private func add(_ reader: AsyncStream<[NotificationData]>.Continuation, _ id: UUID) {
    readers[id] = reader
    reader.yield(notifications.sorted { $0.timestamp > $1.timestamp })
  }

  private func remove(_ id: UUID) {
    readers[id] = nil
  }
}
