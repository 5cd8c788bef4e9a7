public import Foundation

/// The app, in memory.
@MainActor
public final class UIApplication {
  public static let shared = UIApplication()

  public nonisolated static let openSettingsURLString = "app-settings:"

  public var applicationIconBadgeNumber = 0

  // MARK: For tests

  /// How often the app asked for a token of APNs.
  public private(set) var registrations = 0
  public private(set) var opened: [URL] = []
  public private(set) var isRegistered = false

  public func reset() { (applicationIconBadgeNumber, registrations, opened, isRegistered) = (0, 0, [], false) }

  // MARK: Apple's

  public func registerForRemoteNotifications() {
    registrations += 1
    isRegistered = true
  }

  public func unregisterForRemoteNotifications() { isRegistered = false }

  @discardableResult
  public func open(_ url: URL) async -> Bool {
    opened.append(url)
    return true
  }
}

@MainActor
public final class UIDevice {
  public static let current = UIDevice()

  public var name: String { "iPhone" }
}

/// What a silent push has brought.
public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData, noData, failed
}
