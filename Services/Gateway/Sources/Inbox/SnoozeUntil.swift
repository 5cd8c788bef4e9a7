import Foundation
import NotificationModel
import NotificationStore

/// `SnoozeNotificationDto`: until when a notification stays away. A member of any other name is refused: a misspelt one would bring
/// it back at once.
struct SnoozeUntil: FieldReadable {
  /// Nil brings it back at once.
  let until: Date?

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: ["until"])
    if !reader.names.contains("until") { reader.problem("until", "is required") }
    until = reader.time("until")
  }

  /// The longest, in seconds. What retention drops meanwhile does not come back.
  static let maximum: TimeInterval = 365 * 86_400

  /// - Throws: ``Problem`` naming `until`.
  func operation(at now: Date) throws -> InboxOperation {
    guard let until else { return .wake }
    guard until > now else { throw Problem.invalid("until", "must be later than now") }
    guard until <= now + Self.maximum else { throw Problem.invalid("until", "must be at most 365 days ahead") }
    return .snooze(until: until)
  }
}
