public import Recurrence
public import WallClock

/// A recurring notification that a backend starts by name for a user or a group.
public struct ScheduleTemplate: Sendable, Equatable {
  public let name: String
  public let type: Catalogue.Reference
  public let recurrence: RecurrenceRule
  /// In each recipient's zone.
  public let time: LocalTime

  static let fields: Set = ["name", "type", "recurrence", "time"]

  init?(_ reader: FieldReader, name: String) {
    reader.refuseUnknown(known: Self.fields)
    let type = reader.required("type", Scalar.self, expected: "a type's code or name")
    let recurrence = Self.recurrence(reader)
    let time = Self.time(reader)
    guard let type, let recurrence, let time else { return nil }
    self.name = name
    self.type = type.integer.map(Catalogue.Reference.code) ?? .name(type.description)
    self.recurrence = recurrence
    self.time = time
  }

  private static func recurrence(_ reader: FieldReader) -> RecurrenceRule? {
    guard let text = reader.requiredText("recurrence", limit: 200) else { return nil }
    do throws(RecurrenceError) {
      return try RecurrenceRule(text)
    } catch {
      reader.problem("recurrence", "expected an RRULE such as FREQ=WEEKLY;BYDAY=SU: \(error)")
      return nil
    }
  }

  private static func time(_ reader: FieldReader) -> LocalTime? {
    guard let text = reader.requiredText("time", limit: 8) else { return nil }
    let time = LocalTime(text)
    if time == nil { reader.problem("time", "'\(text)' is not a time such as 19:00 or 19:00:30") }
    return time
  }
}
