// Not compiled on Linux, which has no UIKit: tests compile it there against declarations (Tests/AppleDeclarations).
#if canImport(UIKit) && !os(watchOS) || BELFRY_APPLE_DECLARATIONS
  #if BELFRY_APPLE_DECLARATIONS
    public import AppleDeclarations
    @testable public import BelfryClient
    import Foundation
  #else
    public import UIKit
  #endif

  extension PushApp {
    /// This app, by its bundle's version. Without a device's name: see ``deviceName``.
    public static var current: PushApp {
      PushApp(appVersion: Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String)
    }
  }

  extension PushRegistration {
    /// Has the system ask APNs for a token, which comes to `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`. Needs no
    /// permission: without it pushes come, and show nothing.
    @available(iOSApplicationExtension, unavailable)
    @MainActor
    public static func askForToken() {
      UIApplication.shared.registerForRemoteNotifications()
    }

    /// Signs out, and keeps further pushes of this user off this device, also if the server cannot be told now. After the next sign-in call
    /// ``askForToken()`` again.
    @available(iOSApplicationExtension, unavailable)
    @MainActor
    @discardableResult
    public func signOutOfApp() async -> Bool {
      UIApplication.shared.unregisterForRemoteNotifications()
      return await signOut()
    }
  }

  extension BackgroundRefreshResult {
    /// For `application(_:didReceiveRemoteNotification:)`:
    ///
    /// ```swift
    /// await client.refresh(deadline: .seconds(9), in: AppleNotifications()).fetchResult
    /// ```
    public var fetchResult: UIBackgroundFetchResult {
      switch self {
      case .newData: .newData
      case .noData: .noData
      case .failed: .failed
      }
    }
  }
#endif
