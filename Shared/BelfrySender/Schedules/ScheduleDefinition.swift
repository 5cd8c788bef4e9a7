/// A send, and when it is made again and again, or around a date.
///
/// Its texts are templates, which know `date`, `due` and `days` beside the data.
public struct ScheduleDefinition: NotificationBuilding, CheckedRequest {
  private enum Plan {
    case own(NotificationTypeReference, ScheduleTime)
    case template(String, start: LocalDate?, timezone: String?, lateness: Duration?)
  }

  private let audience: Audience
  private let plan: Plan
  private var content = NotificationContent()

  static let maximumBody = 64 * 1_024
  /// Data of these names is each occurrence's own.
  private static let occurrence: Set = ["date", "due", "days"]

  /// A type and a time of your own.
  public init(to audience: Audience, type: NotificationTypeReference, _ time: ScheduleTime) {
    self.audience = audience
    plan = .own(type, time)
  }

  /// A template of the catalogue, which has type, rule and time.
  ///
  /// `start`, `timezone` and `lateness` are those of ``ScheduleTime/recurring(_:at:start:timezone:lateness:)``.
  public init(
    to audience: Audience,
    template: String,
    start: LocalDate? = nil,
    timezone: String? = nil,
    lateness: Duration? = nil
  ) {
    self.audience = audience
    plan = .template(template, start: start, timezone: timezone, lateness: lateness)
  }

  public func withContent(_ change: (inout NotificationContent) -> Void) -> Self {
    var copy = self
    change(&copy.content)
    return copy
  }

  func node(_ checks: inout FieldChecks) -> JSONNode {
    var members = content.members(isToTopic: audience.isTopic, taken: Self.occurrence, &checks)
    members["to"] = audience.node("to", &checks)
    switch plan {
    case .own(let type, let time):
      members["type"] = type.node("type", &checks)
      return .object(members + time.members(&checks))
    case .template(let name, let start, let timezone, let lateness):
      members["template"] = checks.name(name, "template", limit: 64)
      return .object(members + ScheduleTime.clock(start: start, timezone, lateness, &checks))
    }
  }
}
