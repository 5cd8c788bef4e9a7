public import Foundation

// Declarations of Apple's UserNotifications and UIKit, as far as the samples in docs/samples use them, so that these compile and
// run on Linux. Names and forms are Apple's; what they do is kept in memory, where tests look at it.

/// What a notification shows.
open class UNNotificationContent: NSObject, NSMutableCopying {
  struct Values {
    var title = ""
    var body = ""
    var sound: UNNotificationSound?
    var badge: NSNumber?
    var userInfo: [AnyHashable: Any] = [:]
    var categoryIdentifier = ""
    var threadIdentifier = ""
    var attachments: [UNNotificationAttachment] = []
  }

  var values = Values()

  open var title: String { values.title }
  open var body: String { values.body }
  open var sound: UNNotificationSound? { values.sound }
  open var badge: NSNumber? { values.badge }
  open var userInfo: [AnyHashable: Any] { values.userInfo }
  open var categoryIdentifier: String { values.categoryIdentifier }
  open var threadIdentifier: String { values.threadIdentifier }
  open var attachments: [UNNotificationAttachment] { values.attachments }

  public override init() {}

  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    let copy = UNMutableNotificationContent()
    copy.values = values
    return copy
  }
}

/// What a notification is to show.
open class UNMutableNotificationContent: UNNotificationContent {
  open override var title: String {
    get { values.title }
    set { values.title = newValue }
  }
  open override var body: String {
    get { values.body }
    set { values.body = newValue }
  }
  open override var sound: UNNotificationSound? {
    get { values.sound }
    set { values.sound = newValue }
  }
  open override var badge: NSNumber? {
    get { values.badge }
    set { values.badge = newValue }
  }
  open override var userInfo: [AnyHashable: Any] {
    get { values.userInfo }
    set { values.userInfo = newValue }
  }
  open override var categoryIdentifier: String {
    get { values.categoryIdentifier }
    set { values.categoryIdentifier = newValue }
  }
  open override var threadIdentifier: String {
    get { values.threadIdentifier }
    set { values.threadIdentifier = newValue }
  }
  open override var attachments: [UNNotificationAttachment] {
    get { values.attachments }
    set { values.attachments = newValue }
  }
}

public final class UNNotificationSound: NSObject, Sendable {
  public static let `default` = UNNotificationSound("default")
  public static let defaultCritical = UNNotificationSound("defaultCritical")

  public let name: String

  init(_ name: String) { self.name = name }
}

/// When a notification is shown.
open class UNNotificationTrigger: NSObject {
  public let repeats: Bool

  init(repeats: Bool) { self.repeats = repeats }
}

public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
  public let timeInterval: TimeInterval

  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }
}

public final class UNCalendarNotificationTrigger: UNNotificationTrigger {
  public let dateComponents: DateComponents

  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }
}

public final class UNNotificationRequest: NSObject {
  public let identifier: String
  public let content: UNNotificationContent
  public let trigger: UNNotificationTrigger?

  /// Keeps a copy of the content.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    let copy = UNNotificationContent()
    copy.values = content.values
    self.content = copy
    self.trigger = trigger
  }
}

public final class UNNotification: NSObject {
  public let date: Date
  public let request: UNNotificationRequest

  /// Apple's has no initializer: this one is for tests.
  public init(_ request: UNNotificationRequest, date: Date = Date()) {
    self.request = request
    self.date = date
  }
}

/// A tap on a notification, or on one of its buttons.
public final class UNNotificationResponse: NSObject {
  public let notification: UNNotification
  public let actionIdentifier: String

  /// Apple's has no initializer: this one is for tests.
  public init(_ notification: UNNotification, actionIdentifier: String = UNNotificationDefaultActionIdentifier) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
  }
}

public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
