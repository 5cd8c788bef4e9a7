import BelfryClient
import Foundation

#if canImport(UIKit)
  import UIKit
  import UserNotifications
#else
  import AppleDeclarations
#endif

/// Takes the place of `FirebaseNotificationClient`: the notifications of one user, from Belfry.
///
/// Belfry knows the user by the token, so that no method looks at its `userId` but ``handleDeviceToken(_:)``, which has none.
struct BelfryNotificationClient: NotificationClientProtocol {
  private static let history = 50

  private let client: BelfryClient
  private let userId: String
  private let installationId: UUID
  private let fcmTokens = FCMTokens()

  /// - Parameters:
  ///   - userId: The signed-in user's, a UUID.
  ///   - installationId: The app's own UUID, made at its first start and kept.
  init(client: BelfryClient, userId: String, installationId: UUID) {
    self.client = client
    self.userId = userId
    self.installationId = installationId
  }

  /// The newest 50, the newest first: now, and after each change. Ends when the user signs out.
  func streamNotifications(_ userId: String) -> AsyncStream<[NotificationData]> {
    let (stream, continuation) = AsyncStream<[NotificationData]>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let changes = client.changes
    // However much changes while the list is read, it is read once more.
    let (ticks, tick) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await _ in changes { tick.yield() }
          tick.finish()
        }
        // What cannot be loaded now is loaded with the next connection, and is a change then.
        await client.load()
        tick.yield()
        for await _ in ticks {
          let list = await client.list()
          if list.isLoaded { continuation.yield(list.notifications.prefix(Self.history).map(NotificationData.init)) }
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  func getNotifications(_ userId: String, limit: Int) async throws -> [NotificationData] {
    var notifications: [BelfryNotification] = []
    while notifications.count < limit {
      let size = min(50, limit - notifications.count)
      let page = try await client.rest.listNotifications(before: notifications.last?.id, pageSize: size)
      notifications += page.notifications
      if !page.hasMore || page.notifications.isEmpty { break }
    }
    return notifications.prefix(limit).map(NotificationData.init)
  }

  func markAsRead(_ userId: String, notificationId: String) async throws {
    try await client.markAsRead([id(notificationId)]).result()
  }

  func markAllAsRead(_ userId: String) async throws {
    try await client.markAllAsRead().result()
  }

  /// It is in no list from now on. The server hears of it a little later, once it can no longer be undone.
  func deleteNotification(_ userId: String, notificationId: String) async throws {
    await client.delete(try id(notificationId))
  }

  @MainActor
  func registerForRemoteNotifications() async throws {
    UIApplication.shared.registerForRemoteNotifications()
  }

  /// Registers the token of APNs. One that could not be sent is sent at the next start of the app, when the system gives it again.
  func handleDeviceToken(_ deviceToken: Data) async {
    let token = NativeDeviceToken(deviceToken, installationId: installationId)
    _ = try? await client.rest.registerNativeDeviceToken(token, userId: userId)
  }

  @MainActor
  func requestAuthorization() async throws -> Bool {
    try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge])
  }

  @MainActor
  func getAuthorizationStatus() async -> UNAuthorizationStatus {
    let settings = await UNUserNotificationCenter.current().notificationSettings()
    return settings.authorizationStatus
  }

  func streamFCMTokenUpdates() -> AsyncStream<String> {
    fcmTokens.stream()
  }

  /// To be called by Firebase's delegate, `messaging(_:didReceiveRegistrationToken:)`: registers the token, and streams it.
  func handleFCMToken(_ token: String) async throws {
    await fcmTokens.update(token)
    _ = try await client.rest.registerDevice(DeviceRegistration(.token(token), installationId: installationId))
  }

  private func id(_ text: String) throws -> UUID {
    guard let id = UUID(uuidString: text) else { throw BelfryError(.notFound, detail: "no id: \(text)") }
    return id
  }
}

/// Hands the last token to whoever asks for it, and each later one.
actor FCMTokens {
  private var last: String?
  private var readers: [UUID: AsyncStream<String>.Continuation] = [:]

  func update(_ token: String) {
    guard token != last else { return }
    last = token
    for reader in readers.values { reader.yield(token) }
  }

  nonisolated func stream() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    continuation.onTermination = { _ in Task { await self.remove(id) } }
    Task { await add(continuation, id) }
    return stream
  }

  private func add(_ reader: AsyncStream<String>.Continuation, _ id: UUID) {
    readers[id] = reader
    if let last { reader.yield(last) }
  }

  private func remove(_ id: UUID) {
    readers[id] = nil
  }
}
