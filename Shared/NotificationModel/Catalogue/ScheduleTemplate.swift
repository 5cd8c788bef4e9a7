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
    let recurrence = reader.recurrence(limit: 200)
    let time = reader.wallClockTime()
    guard let type, let recurrence, let time else { return nil }
    self.name = name
    self.type = type.integer.map(Catalogue.Reference.code) ?? .name(type.description)
    self.recurrence = recurrence
    self.time = time
  }
}
