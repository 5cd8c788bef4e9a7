import Foundation
import Observation

#if canImport(UIKit)
  import UIKit
#else
  import AppleDeclarations
#endif

#if canImport(FirebaseMessaging)
  import FirebaseMessaging
#endif

@Observable
@MainActor
final class NotificationViewModel {
  var notifications: [NotificationModel] = []
  var unreadCount: Int = 0
  var isLoading = false
  var errorMessage: String?
  var hasMore = true
  var preferences: NotificationPreferences?

  private var currentPage = 1
  private let pageSize = 20
  @ObservationIgnored private var loading: Task<Void, Never>?
  private let apiService: any APIServiceProtocol

  /// Gives the app's FCM token, where Firebase's SDK is not part of the app.
  @ObservationIgnored var fcmToken: @MainActor () async throws -> String? = { nil }

  init(apiService: any APIServiceProtocol = APIService()) {
    self.apiService = apiService
  }

  /// The next page, or the first one again.
  func loadNotifications(refresh: Bool = false) async {
    if refresh {
      // A page that is on its way belongs to the list before.
      await loading?.value
      currentPage = 1
      notifications = []
      hasMore = true
    }
    guard hasMore, !isLoading else { return }
    isLoading = true
    let page = Task { await loadPage() }
    loading = page
    await page.value
  }

  private func loadPage() async {
    errorMessage = nil
    do {
      let response: NotificationListResponse = try await apiService.get(
        endpoint: "/api/v1/notifications",
        queryParams: ["page": "\(currentPage)", "pageSize": "\(pageSize)"]
      )
      // What arrived meanwhile has moved the pages.
      let known = Set(notifications.map(\.id))
      notifications += response.notifications.filter { !known.contains($0.id) }
      unreadCount = response.unreadCount
      hasMore = response.hasMore
      currentPage += 1
    } catch {
      show(error)
    }
    isLoading = false
  }

  func markAsRead(_ notification: NotificationModel) async {
    guard !notification.isRead else { return }
    do {
      let _: NotificationModel = try await apiService.patch(
        endpoint: "/api/v1/notifications/\(notification.id.uuidString.lowercased())/read"
      )
      guard let index = notifications.firstIndex(where: { $0.id == notification.id }), !notifications[index].isRead
      else {
        return
      }
      notifications[index] = notification.read
      unreadCount = max(0, unreadCount - 1)
    } catch {
      show(error)
    }
  }

  func markAllAsRead() async {
    do {
      let _: [String: Int] = try await apiService.post(
        endpoint: "/api/v1/notifications/read",
        body: MarkNotificationsReadRequest(notificationIds: nil)
      )
      notifications = notifications.map(\.read)
      unreadCount = 0
    } catch {
      show(error)
    }
  }

  func loadPreferences() async {
    do {
      preferences = try await apiService.get(endpoint: "/api/v1/notifications/preferences")
    } catch {
      show(error)
    }
  }

  func registerDeviceToken(_ token: String) async {
    do {
      let _: DeviceTokenResponse = try await apiService.post(
        endpoint: "/api/v1/devices",
        body: RegisterDeviceRequest(
          token: token,
          platform: 1,  // iOS
          deviceName: UIDevice.current.name,
          appVersion: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
        )
      )
    } catch {
      show(error)
    }
  }

  func refreshFCMToken() {
    Task {
      do {
        #if canImport(FirebaseMessaging)
          let token: String? = try await Messaging.messaging().token()
        #else
          let token = try await fcmToken()
        #endif
        if let token { await registerDeviceToken(token) }
      } catch {
        show(error)
      }
    }
  }

  private func show(_ error: any Error) {
    errorMessage = "\(error)"
  }
}
