import NotificationModel
import NotificationStore
import WallClock

/// `UpdateQuietHoursDto`, with a time zone if the app wants to say it. A time that is absent or null stays as it is.
struct UpdateQuietHours: FieldReadable {
  private let isEnabled: Bool
  private let start: LocalTime?
  private let end: LocalTime?
  private let timezone: String?

  init?(_ reader: FieldReader) {
    let isEnabled = reader.required("enabled", Bool.self, expected: "true or false")
    start = reader.localTime("startTime")
    end = reader.localTime("endTime")
    timezone = reader.timezone("timezone")
    guard let isEnabled else { return nil }
    self.isEnabled = isEnabled
  }

  /// - Throws: ``ValidationError`` if hours are on without both times, or if these are the same.
  func apply(to settings: inout UserSettings) throws(ValidationError) {
    settings.quietHoursEnabled = isEnabled
    settings.quietHoursStart = start ?? settings.quietHoursStart
    settings.quietHoursEnd = end ?? settings.quietHoursEnd
    settings.timezone = timezone ?? settings.timezone
    var errors: [FieldError] = []
    if isEnabled, settings.quietHoursStart == nil { errors.append(FieldError("startTime", "is required")) }
    if isEnabled, settings.quietHoursEnd == nil { errors.append(FieldError("endTime", "is required")) }
    if let start = settings.quietHoursStart, start == settings.quietHoursEnd {
      errors.append(FieldError("endTime", "must differ from startTime"))
    }
    guard errors.isEmpty else { throw ValidationError(errors) }
  }
}
