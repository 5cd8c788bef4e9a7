import NotificationModel
import WallClock

/// Times and zones as clocks on walls show them.
extension FieldReader {
  /// The identifier of a zone that this installation knows; nil if absent.
  func timezone(_ name: String) -> String? {
    guard let text = text(name, limit: 64) else { return nil }
    guard Zone(text) != nil else {
      problem(name, "expected an IANA time zone such as Europe/Berlin")
      return nil
    }
    return text
  }

  /// A time of day, with or without seconds; nil if absent.
  func localTime(_ name: String) -> LocalTime? {
    let expected = "a time of day such as 22:00 or 22:00:00"
    guard let text = optional(name, String.self, expected: expected) else { return nil }
    guard let time = LocalTime(text) else {
      problem(name, "expected \(expected)")
      return nil
    }
    return time
  }
}
