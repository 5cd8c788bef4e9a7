import BelfryClient
import Foundation

/// The texts of a notification's row.
struct NotificationRow: Sendable, Equatable {
  let title: String
  let body: String
  /// How long ago, or at what time of the section's day.
  let time: String
  /// When a snoozed one comes back.
  let note: String?
  let isUnread: Bool
  let isUrgent: Bool

  init(
    _ notification: BelfryNotification,
    now: Date = Date(),
    calendar: Calendar = .autoupdatingCurrent,
    locale: Locale = .autoupdatingCurrent
  ) {
    title = notification.title.isEmpty ? notification.typeName : notification.title
    body = notification.body
    time = Self.time(notification.createdAt, now, calendar, locale)
    note = notification.snoozedUntil.map { until in
      let style = Date.FormatStyle(
        date: .abbreviated,
        time: .shortened,
        locale: locale,
        calendar: calendar,
        timeZone: calendar.timeZone
      )
      return "Back \(until.formatted(style))"
    }
    isUnread = !notification.isRead
    isUrgent = notification.priority == "high"
  }

  /// All of it in one sentence for VoiceOver, what matters first.
  var accessibilityLabel: String {
    [isUnread ? "Unread" : nil, isUrgent ? "Important" : nil, title, body.isEmpty ? nil : body, time, note]
      .compactMap(\.self).joined(separator: ", ")
  }

  private static func time(_ date: Date, _ now: Date, _ calendar: Calendar, _ locale: Locale) -> String {
    let minutes = Int(max(0, min(now.timeIntervalSince(date), 1e9)) / 60)
    if minutes == 0 { return "now" }
    if minutes < 60 { return "\(minutes) min ago" }
    return date.formatted(
      Date.FormatStyle(
        date: .omitted,
        time: .shortened,
        locale: locale,
        calendar: calendar,
        timeZone: calendar.timeZone
      )
    )
  }
}
