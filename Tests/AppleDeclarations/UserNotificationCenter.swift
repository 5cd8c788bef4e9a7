public import Foundation

public enum UNAuthorizationStatus: Int, Sendable {
  case notDetermined, denied, authorized, provisional, ephemeral
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
  public static let badge = UNAuthorizationOptions(rawValue: 1)
  public static let sound = UNAuthorizationOptions(rawValue: 2)
  public static let alert = UNAuthorizationOptions(rawValue: 4)
  public static let provisional = UNAuthorizationOptions(rawValue: 64)

  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// How a notification shows while the app is in front.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public static let badge = UNNotificationPresentationOptions(rawValue: 1)
  public static let sound = UNNotificationPresentationOptions(rawValue: 2)
  public static let list = UNNotificationPresentationOptions(rawValue: 8)
  public static let banner = UNNotificationPresentationOptions(rawValue: 16)

  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }
}

public final class UNNotificationSettings: NSObject, Sendable {
  public let authorizationStatus: UNAuthorizationStatus

  init(_ status: UNAuthorizationStatus) { authorizationStatus = status }
}

/// What Apple calls at a notification. Its methods are optional there, and here by the extension below. There, the methods with
/// and without a completion handler are one; write either.
public protocol UNUserNotificationCenterDelegate: AnyObject {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions

  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async

  func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  )

  func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  )
}

extension UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [] }

  public func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse)
    async
  {}

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) { completionHandler([]) }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter,
    didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) { completionHandler() }
}

/// The system's notifications of this app, in memory. Apple's may be used from anywhere; this one from the main actor.
@MainActor
public final class UNUserNotificationCenter: NSObject {
  private nonisolated static let shared = UNUserNotificationCenter()

  public nonisolated static func current() -> UNUserNotificationCenter { shared }

  public weak var delegate: (any UNUserNotificationCenterDelegate)?

  // MARK: For tests

  /// What the user answers when asked.
  public var grants = true
  /// How often the user was asked; the system asks once, and gives the answer from then on.
  public private(set) var questions = 0
  public private(set) var status = UNAuthorizationStatus.notDetermined
  public private(set) var pending: [UNNotificationRequest] = []
  public private(set) var delivered: [UNNotification] = []
  public private(set) var badgeCount = 0
  private nonisolated let categories = CategoryList()

  private nonisolated override init() {}

  /// As after the app was installed.
  public func reset() {
    (delegate, grants, questions, status, pending, delivered) = (nil, true, 0, .notDetermined, [], [])
    badgeCount = 0
    categories.replace([])
  }

  /// What is pending is shown.
  public func deliver() {
    delivered += pending.map { UNNotification($0) }
    pending = []
  }

  // MARK: Apple's

  public func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool {
    if status == .notDetermined {
      questions += 1
      status = grants ? .authorized : .denied
    }
    return status == .authorized
  }

  public func requestAuthorization(
    options: UNAuthorizationOptions,
    completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    if status == .notDetermined {
      questions += 1
      status = !grants ? .denied : options.contains(.provisional) ? .provisional : .authorized
    }
    completionHandler(status == .authorized || status == .provisional, nil)
  }

  public func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
    completionHandler(UNNotificationSettings(status))
  }

  public func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
    completionHandler(delivered)
  }

  public func setBadgeCount(_ count: Int, withCompletionHandler handler: (@Sendable ((any Error)?) -> Void)? = nil) {
    badgeCount = count
    handler?(nil)
  }

  public nonisolated func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    self.categories.replace(categories)
  }

  public nonisolated func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    categories.give(completionHandler)
  }

  public func notificationSettings() async -> UNNotificationSettings { UNNotificationSettings(status) }

  /// A request with an identifier that is pending replaces that one.
  public func add(_ request: UNNotificationRequest) async throws {
    pending.removeAll { $0.identifier == request.identifier }
    pending.append(request)
  }

  public func pendingNotificationRequests() async -> [UNNotificationRequest] { pending }

  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    pending.removeAll { identifiers.contains($0.identifier) }
  }

  public func removeAllPendingNotificationRequests() { pending = [] }

  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    delivered.removeAll { identifiers.contains($0.request.identifier) }
  }

  public func removeAllDeliveredNotifications() { delivered = [] }
}
