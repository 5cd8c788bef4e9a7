import Foundation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

#if canImport(UIKit)
  import UserNotifications
#else
  import AppleDeclarations
#endif

@MainActor
class NotificationPermissionManager: ObservableObject {
  @Published var authorizationStatus: UNAuthorizationStatus = .notDetermined
  @Published var isRequestingPermission = false

  init() {
    checkAuthorizationStatus()
  }

  func checkAuthorizationStatus() {
    Task { await readAuthorizationStatus() }
  }

  func readAuthorizationStatus() async {
    let settings = await UNUserNotificationCenter.current().notificationSettings()
    authorizationStatus = settings.authorizationStatus
  }

  /// Explain first what notifications are good for: the system asks once.
  func requestPermission() async -> Bool {
    isRequestingPermission = true
    defer { isRequestingPermission = false }
    NotificationAnalytics.trackPermissionRequested()
    do {
      let granted = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound])
      authorizationStatus = granted ? .authorized : .denied
      if granted { NotificationAnalytics.trackPermissionGranted() }
      return granted
    } catch {
      return false
    }
  }
}
