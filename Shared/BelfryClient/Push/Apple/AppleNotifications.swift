// Not compiled on Linux, which has no UserNotifications: tests compile it there against declarations (Tests/AppleDeclarations).
#if canImport(UserNotifications) && !os(tvOS) && !os(watchOS) || BELFRY_APPLE_DECLARATIONS
  #if BELFRY_APPLE_DECLARATIONS
    import AppleDeclarations
    @testable public import BelfryClient
    import Foundation
  #else
    import UserNotifications
  #endif

  /// The app's notification centre, `UNUserNotificationCenter.current()`.
  ///
  /// The closures are `@Sendable`, since the system calls them on a queue of its own.
  public struct AppleNotifications: SystemNotifications {
    public init() {}

    @MainActor private var center: UNUserNotificationCenter { .current() }

    @MainActor public func permission() async -> SystemPermission {
      await withCheckedContinuation { continuation in
        center.getNotificationSettings { @Sendable settings in
          continuation.resume(returning: SystemPermission(settings.authorizationStatus))
        }
      }
    }

    @MainActor public func requestPermission(quietly: Bool) async throws -> Bool {
      var options: UNAuthorizationOptions = [.alert, .badge, .sound]
      if quietly { options.insert(.provisional) }
      return try await withCheckedThrowingContinuation { continuation in
        center.requestAuthorization(options: options) { @Sendable isGranted, error in
          if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: isGranted) }
        }
      }
    }

    @MainActor public func delivered() async -> [DeliveredNotification] {
      await withCheckedContinuation { continuation in
        center.getDeliveredNotifications { @Sendable notifications in
          let delivered = notifications.map { notification in
            DeliveredNotification(
              identifier: notification.request.identifier,
              notification: PushRoute(userInfo: notification.request.content.userInfo)?.notification
            )
          }
          continuation.resume(returning: delivered)
        }
      }
    }

    @MainActor public func remove(_ identifiers: [String]) async {
      center.removeDeliveredNotifications(withIdentifiers: identifiers)
    }

    @MainActor public func setBadge(_ count: Int) async {
      await withCheckedContinuation { continuation in
        // It fails without permission: there is no badge then.
        center.setBadgeCount(count) { @Sendable _ in continuation.resume() }
      }
    }

    @MainActor public func register(_ categories: [PushCategory]) async {
      let ids = Set(categories.map(\.id))
      await withCheckedContinuation { continuation in
        center.getNotificationCategories { @Sendable known in
          // The system replaces all at once: those of the app's own stay.
          let others = known.filter { !ids.contains($0.identifier) }
          let own = categories.map { UNNotificationCategory($0) }
          UNUserNotificationCenter.current().setNotificationCategories(others.union(own))
          continuation.resume()
        }
      }
    }
  }

  extension UNNotificationCategory {
    fileprivate convenience init(_ category: PushCategory) {
      self.init(
        identifier: category.id,
        actions: category.actions.map { action in
          UNNotificationAction(identifier: action.id, title: action.title, options: .init(action.style))
        },
        intentIdentifiers: [],
        options: []
      )
    }
  }

  extension UNNotificationActionOptions {
    fileprivate init(_ style: PushCategory.Style) {
      self = []
      if style.contains(.opensApp) { insert(.foreground) }
      if style.contains(.destructive) { insert(.destructive) }
      if style.contains(.needsUnlock) { insert(.authenticationRequired) }
    }
  }

  extension SystemPermission {
    init(_ status: UNAuthorizationStatus) {
      switch status {
      case .notDetermined: self = .notDetermined
      case .denied: self = .denied
      case .authorized: self = .authorized
      case .provisional: self = .provisional
      #if os(iOS) || BELFRY_APPLE_DECLARATIONS
        case .ephemeral: self = .ephemeral
      #endif
      // One that is newer than this code: nothing is known to be allowed.
      @unknown default: self = .denied
      }
    }
  }

  extension BelfryClient {
    /// Gives iOS the buttons of all types, in the user's language.
    ///
    /// - Throws: ``BelfryError``; the system then keeps those that it has.
    public func registerCategories(
      style: @Sendable (BelfryAction.ID) -> PushCategory.Style = { _ in .opensApp }
    ) async throws {
      try await registerCategories(in: AppleNotifications(), locale: Locale.preferredLanguages.first, style: style)
    }
  }
#endif
