import BelfryClient
import Foundation

#if canImport(ComposableArchitecture)
  import ComposableArchitecture
#else
  /// Without The Composable Architecture the state is an ordinary value.
  typealias IdentifiedArrayOf<Element: Identifiable> = [Element]

  extension Array {
    init(uniqueElements elements: Self) { self = elements }
  }
#endif

/// What the feature's reducer keeps. The cases of its action call the methods of the state, and start the calls of
/// ``NotificationClientProtocol``.
struct NotificationFeature {
  #if canImport(ComposableArchitecture)
    @ObservableState
  #endif
  struct State: Equatable, Sendable {
    var notifications: IdentifiedArrayOf<NotificationData> = []
    var selectedFilter: NotificationType = .all
    var showUnreadOnly: Bool = false
    var isLoading: Bool = false
    var error: UserFacingError?
    var unreadCount: Int = 0

    var preferences: NotificationPreferencesFeature.State = .init()

    var filteredNotifications: IdentifiedArrayOf<NotificationData> {
      notifications.filter { notification in
        (selectedFilter == .all || notification.type == selectedFilter) && !(showUnreadOnly && notification.isRead)
      }
    }
  }
}

extension NotificationFeature.State {
  /// `notificationsLoaded` and `notificationsUpdated`.
  mutating func notificationsUpdated(_ notifications: [NotificationData]) {
    isLoading = false
    error = nil
    self.notifications = IdentifiedArrayOf(uniqueElements: notifications)
    unreadCount = notifications.filter { !$0.isRead }.count
  }

  /// `notificationsLoadFailed` and `notificationActionFailed`: what is shown stays.
  mutating func failed(_ error: UserFacingError) {
    isLoading = false
    self.error = error
  }
}

/// What the user reads of an error. The specification leaves this type to the app.
struct UserFacingError: Error, Equatable, Sendable {
  let message: String

  static func from(_ error: any Error) -> UserFacingError {
    if let error = error as? UserFacingError { return error }
    let message =
      switch (error as? BelfryError)?.code {
      case .offline, .timeout, .unavailable: "The server cannot be reached. Check the connection, and try again."
      case .rateLimited, .full: "Too much at once. Try again in a minute."
      case .unauthorized, .forbidden, .ended, .token: "Sign in again."
      case .notFound: "This notification does not exist any more."
      case .invalid, .malformed, nil: "Something went wrong. Try again."
      }
    return UserFacingError(message: message)
  }
}

/// The switches of the notification center, one for each filter but that for all. The specification leaves them open.
struct NotificationPreferencesFeature {
  #if canImport(ComposableArchitecture)
    @ObservableState
  #endif
  struct State: Equatable, Sendable {
    var isEnabled: Bool = true
    var disabled: Set<NotificationType> = []

    init() {}

    init(_ preferences: Preferences) {
      isEnabled = preferences.notificationsEnabled
      let off = preferences.categories.filter { !$0.switches.inApp && !$0.switches.push }
      disabled = Set(off.compactMap { NotificationType(rawValue: $0.category) })
    }

    /// What saves them.
    var update: PreferencesUpdate {
      var update = PreferencesUpdate()
      update.notificationsEnabled = isEnabled
      for type in NotificationType.allCases where type != .all {
        let isOn = !disabled.contains(type)
        update.categories[type.rawValue] = PreferencesUpdate.Switches(inApp: isOn, push: isOn)
      }
      return update
    }
  }
}
