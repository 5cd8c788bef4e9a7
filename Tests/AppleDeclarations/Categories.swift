public import Foundation

public struct UNNotificationActionOptions: OptionSet, Sendable {
  public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
  public static let destructive = UNNotificationActionOptions(rawValue: 2)
  public static let foreground = UNNotificationActionOptions(rawValue: 4)

  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }
}

public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }
}

open class UNNotificationAction: NSObject {
  public let identifier: String
  public let title: String
  public let options: UNNotificationActionOptions

  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    (self.identifier, self.title, self.options) = (identifier, title, options)
  }
}

open class UNNotificationCategory: NSObject {
  public let identifier: String
  public let actions: [UNNotificationAction]

  public init(
    identifier: String,
    actions: [UNNotificationAction],
    intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    (self.identifier, self.actions) = (identifier, actions)
  }
}

/// The app's categories, which Apple's centre takes and gives on any thread.
final class CategoryList: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var categories: Set<UNNotificationCategory> = []

  func replace(_ categories: Set<UNNotificationCategory>) { lock.withLock { self.categories = categories } }

  func give(_ handler: (Set<UNNotificationCategory>) -> Void) { handler(lock.withLock { categories }) }
}
