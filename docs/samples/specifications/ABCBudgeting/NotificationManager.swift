import BelfryClient
import Foundation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

#if canImport(UIKit)
  import UserNotifications
#else
  import AppleDeclarations
#endif

@MainActor
class NotificationManager: ObservableObject {
  @Published var isAuthorized = false
  @Published var notificationSettings = NotificationSettings()
  /// Why the last call failed; nil if it did not.
  @Published var error: (any Error)?

  private let client: BelfryClient
  /// The last of the changes that are being sent, one after the other.
  private(set) var saving: Task<Void, Never>?

  /// The specification takes a `CoreDataStack`; the settings are the server's.
  init(client: BelfryClient) {
    self.client = client
  }

  func requestPermission() async -> Bool {
    do {
      isAuthorized = try await UNUserNotificationCenter.current().requestAuthorization(options: [
        .alert, .badge, .sound,
      ])
    } catch {
      self.error = error
    }
    return isAuthorized
  }

  /// Has the system show a notification of the device's own. What Belfry sends comes without this.
  func scheduleNotification(_ notification: NotificationItem) {
    let content = UNMutableNotificationContent()
    content.title = notification.title
    content.body = notification.body
    content.sound = .default
    content.userInfo = notification.userInfo ?? [:]
    content.userInfo["type"] = notification.type.rawValue
    content.categoryIdentifier = notification.type.rawValue
    let request = UNNotificationRequest(
      identifier: notification.id,
      content: content,
      trigger: notification.trigger(in: notificationSettings.timezone, now: Date())
    )
    Task {
      do {
        try await UNUserNotificationCenter.current().add(request)
      } catch {
        self.error = error
      }
    }
  }

  func cancelNotification(id: String) {
    UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [id])
  }

  func cancelAllNotifications() {
    UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
  }

  /// The settings as the server has them.
  func loadNotificationSettings() async {
    do {
      notificationSettings = NotificationSettings(try await client.rest.getPreferences())
      error = nil
    } catch {
      self.error = error
    }
  }

  /// Takes the settings at once, and sends them to the server.
  func updateNotificationSettings(_ settings: NotificationSettings) {
    notificationSettings = settings
    let former = saving
    saving = Task {
      await former?.value
      do {
        _ = try await client.rest.updatePreferences(settings.update)
        _ = try await client.rest.updateQuietHours(settings.quietHours)
        error = nil
      } catch {
        self.error = error
      }
    }
  }
}

extension NotificationItem {
  /// Nil: at once.
  func trigger(in zone: TimeZone, now: Date) -> UNNotificationTrigger? {
    guard isRepeating, let repeatInterval else {
      let delay = triggerDate.timeIntervalSince(now)
      return delay > 0 ? UNTimeIntervalNotificationTrigger(timeInterval: delay, repeats: false) : nil
    }
    let parts: Set<Calendar.Component> =
      switch repeatInterval {
      case .daily: [.hour, .minute]
      case .weekly: [.weekday, .hour, .minute]
      case .monthly: [.day, .hour, .minute]
      case .yearly: [.month, .day, .hour, .minute]
      }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return UNCalendarNotificationTrigger(dateMatching: calendar.dateComponents(parts, from: triggerDate), repeats: true)
  }
}
