public import Foundation

/// When a schedule sends: of one kind, with what belongs to that kind, by construction.
public struct ScheduleTime: Sendable {
  enum Kind {
    case once(Date, expiresAt: Date?)
    case recurring(RecurrenceRule, at: LocalTime, start: LocalDate?, timezone: String?, lateness: Duration?)
    case reminders(of: LocalDate, at: LocalTime, [ScheduleReminder], timezone: String?, lateness: Duration?)
  }

  let kind: Kind

  /// At an instant to come, at most a year ahead.
  public static func once(_ instant: Date, expiresAt: Date? = nil) -> Self {
    Self(kind: .once(instant, expiresAt: expiresAt))
  }

  /// Again and again, by the clocks of each recipient.
  ///
  /// - Parameters:
  ///   - start: The day on which it is put, unless given.
  ///   - timezone: An IANA zone for all recipients, such as `Europe/Berlin`; each recipient's own unless given.
  ///   - lateness: How late a missed occurrence may still be sent: a minute to 31 days, in seconds; six hours unless given.
  public static func recurring(
    _ rule: RecurrenceRule,
    at time: LocalTime,
    start: LocalDate? = nil,
    timezone: String? = nil,
    lateness: Duration? = nil
  ) -> Self {
    Self(kind: .recurring(rule, at: time, start: start, timezone: timezone, lateness: lateness))
  }

  /// Around a day: 1 to 32 reminders, on different days.
  ///
  /// `timezone` and `lateness` are those of ``recurring(_:at:start:timezone:lateness:)``.
  public static func reminders(
    of due: LocalDate,
    at time: LocalTime,
    _ reminders: [ScheduleReminder],
    timezone: String? = nil,
    lateness: Duration? = nil
  ) -> Self {
    Self(kind: .reminders(of: due, at: time, reminders, timezone: timezone, lateness: lateness))
  }

  func members(_ checks: inout FieldChecks) -> [String: JSONNode] {
    switch kind {
    case .once(let instant, let expiresAt):
      if let expiresAt, SenderJSON.text(expiresAt) <= SenderJSON.text(instant) {
        checks.problem("expiresAt", "must be later than sendAt")
      }
      return ["sendAt": .value(instant)] + (expiresAt.map { ["expiresAt": .value($0)] } ?? [:])
    case .recurring(let rule, let time, let start, let timezone, let lateness):
      return [
        "recurrence": checks.name(rule.description, "recurrence", limit: 1_000),
        "time": time.node("time", &checks),
      ] + Self.clock(start: start, timezone, lateness, &checks)
    case .reminders(let due, let time, let reminders, let timezone, let lateness):
      if !(1...32).contains(reminders.count) {
        checks.problem("reminders", "has \(reminders.count) entries; 1 to 32 are allowed")
      }
      for (index, reminder) in reminders.enumerated()
      where reminders[..<index].contains(where: { $0.days == reminder.days }) {
        checks.problem("reminders[\(index)].offset", "is there already")
      }
      return [
        "due": due.node("due", &checks),
        "time": time.node("time", &checks),
        "reminders": .list(reminders.prefix(33).enumerated().map { $1.node("reminders[\($0)]", &checks) }),
      ] + Self.clock(start: nil, timezone, lateness, &checks)
    }
  }

  static func clock(
    start: LocalDate?,
    _ timezone: String?,
    _ lateness: Duration?,
    _ checks: inout FieldChecks
  ) -> [String: JSONNode] {
    var members: [String: JSONNode] = [:]
    if let start { members["start"] = start.node("start", &checks) }
    if let timezone { members["timezone"] = checks.name(timezone, "timezone", limit: 64) }
    if let lateness {
      if !(.seconds(60) ... .seconds(31 * 86_400)).contains(lateness) {
        checks.problem("lateness", "expected a minute to 31 days")
      }
      members["lateness"] = .text("PT\(lateness.components.seconds)S")
    }
    return members
  }
}

/// One reminder of a day.
public struct ScheduleReminder: Sendable, Equatable {
  /// From the day that it is about; negative before it.
  public let days: Int
  /// The schedule's, unless given.
  public let type: NotificationTypeReference?

  /// - Parameter days: Before the day, at most 3,660; 0 is on it.
  public static func before(days: Int, type: NotificationTypeReference? = nil) -> Self { Self(days: -days, type: type) }

  /// - Parameter days: After the day, at most 3,660.
  public static func after(days: Int, type: NotificationTypeReference? = nil) -> Self { Self(days: days, type: type) }

  func node(_ field: String, _ checks: inout FieldChecks) -> JSONNode {
    if !(-3_660...3_660).contains(days) { checks.problem("\(field).offset", "expected at most 3660 days") }
    var members: [String: JSONNode] = ["offset": .text("\(days < 0 ? "-" : "")P\(days.magnitude)D")]
    if let type { members["type"] = type.node("\(field).type", &checks) }
    return .object(members)
  }
}
