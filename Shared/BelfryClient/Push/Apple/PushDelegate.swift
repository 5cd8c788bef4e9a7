// Not compiled on Linux, which has no UserNotifications: tests compile it there against declarations (Tests/AppleDeclarations).
#if canImport(UserNotifications) && !os(tvOS) && !os(watchOS) || BELFRY_APPLE_DECLARATIONS
  #if BELFRY_APPLE_DECLARATIONS
    public import AppleDeclarations
    @testable public import BelfryClient
    public import Foundation
  #else
    public import UserNotifications
  #endif

  /// Reports taps, gives their routes to the app, and keeps pushes about what is on the screen from being shown.
  ///
  /// Make it before the app has finished launching, and keep it; a tap that launched the app is the first of ``routes``.
  ///
  /// ```swift
  /// let pushes = PushDelegate(client)
  /// UNUserNotificationCenter.current().delegate = pushes
  /// for await route in pushes.routes { open(route) }
  /// ```
  @MainActor
  public final class PushDelegate: NSObject {
    /// Taps wait here until they are read; for one reader.
    public let routes: AsyncStream<PushRoute>

    private let client: BelfryClient
    private let route: AsyncStream<PushRoute>.Continuation

    public init(_ client: BelfryClient) {
      self.client = client
      (routes, route) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
      super.init()
    }

    deinit {
      route.finish()
    }
  }

  // The system calls it on the main thread, and wants its answers there.
  extension PushDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
      _ center: UNUserNotificationCenter,
      willPresent notification: UNNotification,
      withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
      guard let route = PushRoute(userInfo: notification.request.content.userInfo) else {
        return completionHandler([.banner, .list, .sound, .badge])
      }
      let client = client
      Task {
        completionHandler(await client.isToBeShown(route) ? [.banner, .list, .sound, .badge] : [.badge])
      }
    }

    public func userNotificationCenter(
      _ center: UNUserNotificationCenter,
      didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping () -> Void
    ) {
      let userInfo = response.notification.request.content.userInfo
      guard let route = PushRoute(userInfo: userInfo, actionIdentifier: response.actionIdentifier) else {
        return completionHandler()
      }
      // A dismissal leads nowhere.
      if route.action != .dismiss { self.route.yield(route) }
      let client = client
      Task {
        // The app may run until then alone, if the button does not open it.
        await client.report(route)
        completionHandler()
      }
    }
  }
#endif
