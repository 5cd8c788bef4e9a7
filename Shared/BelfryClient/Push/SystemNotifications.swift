public import Foundation

/// The system's notification centre. `AppleNotifications` on Apple's platforms.
public protocol SystemNotifications: Sendable {
  func permission() async -> SystemPermission

  /// Asks the user, if nobody has before; says whether the app may show notifications.
  ///
  /// - Parameter quietly: Without a question: notifications then come quietly, and the user decides on the first one.
  func requestPermission(quietly: Bool) async throws -> Bool

  /// Those that the user has not dismissed.
  func delivered() async -> [DeliveredNotification]

  func remove(_ identifiers: [String]) async

  /// - Parameter count: Of the app's icon; 0 shows none.
  func setBadge(_ count: Int) async

  /// Replaces categories of the same ids; the app's others stay.
  func register(_ categories: [PushCategory]) async
}

/// What the system says of the app's permission.
public enum SystemPermission: String, Sendable, CaseIterable {
  case notDetermined, denied, authorized
  /// Notifications come quietly.
  case provisional
  /// For some hours, to an App Clip.
  case ephemeral
}

/// A notification in the system's list.
public struct DeliveredNotification: Sendable, Hashable {
  /// The system's name of it.
  public let identifier: String
  /// Which of Belfry's it is; nil for others.
  public let notification: BelfryNotification.ID?

  public init(identifier: String, notification: BelfryNotification.ID?) {
    self.identifier = identifier
    self.notification = notification
  }
}
