// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations.
import BelfryClient
import Foundation
import SwiftUI

#if canImport(UIKit)
  import UIKit
  import UserNotifications
#else
  import AppleDeclarations
  import AppleFiles
#endif

/// What iOS tells the app of pushes.
@MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
  /// Of the app and its notification service extension, which reads the same cache.
  static let group = "group.com.example.belfry"
  /// As in `BGTaskSchedulerPermittedIdentifiers` of Info.plist.
  static let refreshTask = "com.example.belfry.refresh"

  let session = AppSession(
    defaultCredentialStore(),
    system: Pushes.System(
      center: AppleNotifications(),
      askForToken: { PushRegistration.askForToken() },
      stop: { UIApplication.shared.unregisterForRemoteNotifications() }
    ),
    configure: { AppDelegate.configuration($0) }
  )
  /// The system does not keep it.
  private var pushes: PushDelegate?
  private var refresh: BackgroundRefreshTask?

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    session.began = { [weak self] account in self?.follow(account) }
    session.restore()
    // iOS takes it before the app has finished launching alone: who signs in later is refreshed from the next start on.
    if let client = session.account?.client {
      let refresh = BackgroundRefreshTask(Self.refreshTask, client: client, in: AppleNotifications())
      if refresh.register() { self.refresh = refresh }
    }
    return true
  }

  /// The app goes behind others.
  func wentBehind() {
    // iOS may refuse it in Settings: then there is no refresh.
    try? refresh?.schedule()
  }

  func application(
    _ application: UIApplication,
    didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    guard let account = session.account else { return }
    Task { await account.pushes.take(deviceToken) }
  }

  /// A silent push.
  func application(
    _ application: UIApplication,
    didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    guard let client = session.account?.client else { return .noData }
    return await client.refresh(deadline: .seconds(9), in: AppleNotifications()).fetchResult
  }

  /// Shows what the user taps.
  private func follow(_ account: Account) {
    let pushes = PushDelegate(account.client)
    self.pushes = pushes
    UNUserNotificationCenter.current().delegate = pushes
    // Ends with the delegate, which the next user's replaces.
    let routes = pushes.routes
    Task { [weak account] in
      for await route in routes { await account?.show(route) }
    }
  }

  private static func configuration(_ gateway: URL) -> BelfryConfiguration {
    #if canImport(Darwin)
      let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
    #else
      let container: URL? = nil
    #endif
    return BelfryConfiguration(gateway: gateway, cacheDirectory: container?.appending(path: "Library/Caches/Belfry"))
  }
}
