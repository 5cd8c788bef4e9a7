import Recurrence
import WallClock

/// Kinds of fields that say when: the same in schedules and in the catalogue's templates for them.
extension FieldReader {
  /// `recurrence`: an RRULE of RFC 5545, which must be there.
  ///
  /// - Parameter limit: In characters.
  func recurrence(limit: Int) -> RecurrenceRule? {
    guard let text = requiredText("recurrence", limit: limit) else { return nil }
    do throws(RecurrenceError) {
      return try RecurrenceRule(text)
    } catch {
      problem("recurrence", "expected an RRULE such as FREQ=WEEKLY;BYDAY=SU: \(error)")
      return nil
    }
  }

  /// `time`: what clocks show, which must be there.
  func wallClockTime() -> LocalTime? {
    guard let text = requiredText("time", limit: 8) else { return nil }
    let time = LocalTime(text)
    if time == nil { problem("time", "'\(text)' is not a time such as 19:00 or 19:00:30") }
    return time
  }
}
