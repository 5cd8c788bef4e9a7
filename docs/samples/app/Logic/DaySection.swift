import BelfryClient
import Foundation

/// The notifications of a day.
struct DaySection: Sendable, Equatable, Identifiable {
  /// The day's first instant.
  let id: Date
  let title: String
  /// In the order of the list.
  var notifications: [BelfryNotification]

  /// A list by days: each day once, in the order in which it comes first.
  ///
  /// The list is in the order of ids, which is that of the times but for milliseconds. The calendar is asked once for each run of one day.
  static func sections(
    _ notifications: [BelfryNotification],
    now: Date = Date(),
    calendar: Calendar = .autoupdatingCurrent,
    locale: Locale = .autoupdatingCurrent
  ) -> [DaySection] {
    var sections: [DaySection] = []
    var places: [Date: Int] = [:]
    var run: (day: DateInterval, place: Int)?
    for notification in notifications {
      let date = notification.createdAt
      if let run, run.day.start <= date, date < run.day.end {
        sections[run.place].notifications.append(notification)
        continue
      }
      let start = calendar.startOfDay(for: date)
      let day = calendar.dateInterval(of: .day, for: date) ?? DateInterval(start: start, duration: 0)
      let place = places[start] ?? sections.count
      if place == sections.count {
        places[start] = place
        sections.append(DaySection(id: start, title: title(start, now, calendar, locale), notifications: []))
      }
      sections[place].notifications.append(notification)
      run = (day, place)
    }
    return sections
  }

  private static func title(_ day: Date, _ now: Date, _ calendar: Calendar, _ locale: Locale) -> String {
    let days = calendar.dateComponents([.day], from: day, to: calendar.startOfDay(for: now)).day ?? 0
    var style = Date.FormatStyle(locale: locale, calendar: calendar, timeZone: calendar.timeZone)
    switch days {
    case 0: return "Today"
    case 1: return "Yesterday"
    case 2...6: return day.formatted(style.weekday(.wide))
    default:
      style = style.day().month(.wide)
      return day.formatted(calendar.isDate(day, equalTo: now, toGranularity: .year) ? style : style.year())
    }
  }
}
