import Foundation

/// A time that is offered for a snooze, a pause or a mute.
struct TimeChoice: Sendable, Equatable, Identifiable {
  let title: String
  let date: Date

  var id: String { title }

  /// For a snooze, the soonest first; evening is 18:00, morning 08:00.
  static func snooze(now: Date = Date(), calendar: Calendar = .autoupdatingCurrent) -> [TimeChoice] {
    var choices = [TimeChoice(title: "In an hour", date: now.addingTimeInterval(3_600))]
    if let evening = next(hour: 18, now, calendar), calendar.isDate(evening, inSameDayAs: now),
      evening.timeIntervalSince(now) > 7_200
    {
      choices.append(TimeChoice(title: "This evening", date: evening))
    }
    if let tomorrow = calendar.date(byAdding: .day, value: 1, to: calendar.startOfDay(for: now)),
      let morning = calendar.date(bySettingHour: 8, minute: 0, second: 0, of: tomorrow)
    {
      choices.append(TimeChoice(title: "Tomorrow morning", date: morning))
    }
    let monday = DateComponents(hour: 8, minute: 0, second: 0, weekday: 2)
    if let week = calendar.nextDate(after: now.addingTimeInterval(172_800), matching: monday, matchingPolicy: .nextTime)
    {
      choices.append(TimeChoice(title: "Next week", date: week))
    }
    return choices
  }

  /// For a pause of pushes, or a mute.
  static func pause(now: Date = Date(), calendar: Calendar = .autoupdatingCurrent) -> [TimeChoice] {
    var choices = [
      TimeChoice(title: "1 hour", date: now.addingTimeInterval(3_600)),
      TimeChoice(title: "8 hours", date: now.addingTimeInterval(28_800)),
    ]
    if let day = calendar.date(byAdding: .day, value: 1, to: now) {
      choices.append(TimeChoice(title: "1 day", date: day))
    }
    if let week = calendar.date(byAdding: .day, value: 7, to: now) {
      choices.append(TimeChoice(title: "1 week", date: week))
    }
    return choices
  }

  private static func next(hour: Int, _ now: Date, _ calendar: Calendar) -> Date? {
    calendar.nextDate(
      after: now,
      matching: DateComponents(hour: hour, minute: 0, second: 0),
      matchingPolicy: .nextTime
    )
  }
}
