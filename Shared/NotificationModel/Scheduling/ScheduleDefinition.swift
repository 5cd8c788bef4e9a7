import Foundation
import BelfryJSON
import Recurrence
import Rules
public import UserIdentity
public import WallClock

/// What `PUT /api/v1/schedules/{key}` takes: a send, and when.
public struct ScheduleDefinition: Sendable, FieldReadable {
  enum When: Sendable {
    case once(Date)
    case recurring(RecurrenceRule, start: LocalDate?, time: LocalTime, lateness: Int)
    case deadline(due: LocalDate, time: LocalTime, reminders: [ScheduleReminder], lateness: Int)
    case template(String, start: LocalDate?, lateness: Int)
  }

  /// Its type is of no meaning where a template names it.
  let request: SendRequest
  let when: When
  let zone: Zone?

  /// The audience's ids that others may stand for as well.
  public var contestedUsers: [UserIdentifier] { request.contestedUsers }

  /// Whose clocks count; nil is each recipient's own.
  public var timezone: Zone? { zone }

  /// The field that has the rule, itself or by name.
  public var fieldOfRule: String {
    if case .template = when { return "template" }
    return "recurrence"
  }

  static let fields: Set = [
    "template", "recurrence", "time", "start", "lateness", "due", "reminders", "timezone",
  ]
  /// What stands for the template's type until a catalogue is asked.
  private static let ofTemplate = Catalogue.Reference.name("")

  public init?(_ reader: FieldReader) {
    let name = reader.text("template", limit: 64)
    if name != nil, reader.isPresent("type") { reader.problem("type", "is the template's; leave it out") }
    let request = SendRequest(reader, beside: Self.fields, type: name.map { _ in Self.ofTemplate })
    zone = Self.zone(reader)
    let when = Self.when(reader, template: name)
    guard let request, let when else { return nil }
    for field in Occurrence.names.sorted() where request.data[field] != nil {
      reader.problem("data.\(field)", "is given by each occurrence; leave it out")
    }
    Self.checkTemplate(request.title, "title", request, reader)
    Self.checkTemplate(request.body, "body", request, reader)
    if request.expiresAt != nil, request.sendAt == nil {
      reader.problem("expiresAt", "is for sendAt only: what recurs expires by its type")
    }
    self.request = request
    self.when = when
  }

  // MARK: Fields

  private static func when(_ reader: FieldReader, template: String?) -> When? {
    let kinds = ["sendAt", "recurrence", "due", "template"].filter { reader.isPresent($0) }
    guard kinds.count == 1, let kind = kinds.first else {
      reader.problem(
        kinds.dropFirst().first ?? "recurrence",
        kinds.isEmpty
          ? "is required, or sendAt, due or template" : "give only one of sendAt, recurrence, due and template"
      )
      return nil
    }
    refuse(kind, reader)
    let lateness = lateness(reader)
    let start = date("start", reader)
    switch kind {
    case "sendAt": return reader.time("sendAt").map(When.once)
    case "template":
      guard let template else { return nil }
      return .template(template, start: start, lateness: lateness)
    case "recurrence":
      let rule = reader.recurrence(limit: 1_000)
      guard let time = reader.wallClockTime(), let rule else { return nil }
      return .recurring(rule, start: start, time: time, lateness: lateness)
    default:
      let due = date("due", reader)
      let reminders = reminders(reader)
      guard let time = reader.wallClockTime(), let due, let reminders else { return nil }
      return .deadline(due: due, time: time, reminders: reminders, lateness: lateness)
    }
  }

  /// Fields that mean nothing beside that kind.
  private static func refuse(_ kind: String, _ reader: FieldReader) {
    let used: Set<String> =
      switch kind {
      case "sendAt": []
      case "recurrence": ["time", "start", "lateness", "timezone"]
      case "due": ["time", "reminders", "lateness", "timezone"]
      default: ["start", "lateness", "timezone"]
      }
    let others = fields.subtracting(used).subtracting([kind, "recurrence", "due", "template"])
    for name in others.sorted() where reader.isPresent(name) { reader.problem(name, "has no meaning beside \(kind)") }
  }

  private static func date(_ name: String, _ reader: FieldReader) -> LocalDate? {
    guard let text = reader.text(name, limit: 10) else { return nil }
    guard let date = LocalDate(text), (1_970...9_000).contains(date.year) else {
      reader.problem(name, "expected a date such as 2026-12-24")
      return nil
    }
    return date
  }

  private static func lateness(_ reader: FieldReader) -> Int {
    guard let text = reader.text("lateness", limit: 32) else { return ScheduleTiming.defaultLateness }
    guard let lateness = ElapsedTime(text), lateness.seconds >= 60 else {
      reader.problem("lateness", "expected a duration from PT1M to P31D, such as PT6H")
      return 0
    }
    return lateness.seconds
  }

  private static func zone(_ reader: FieldReader) -> Zone? {
    guard let text = reader.text("timezone", limit: 64) else { return nil }
    let zone = Zone(text)
    if zone == nil { reader.problem("timezone", "expected an IANA time zone such as Europe/Berlin") }
    return zone
  }

  /// In order, each offset once.
  private static func reminders(_ reader: FieldReader) -> [ScheduleReminder]? {
    if !reader.isPresent("reminders") { reader.problem("reminders", "is required") }
    var seen: Set<DayOffset> = []
    let reminders = reader.objects("reminders", limit: 32) { reader -> ScheduleReminder? in
      reader.refuseUnknown(known: ["offset", "type"])
      let text = reader.requiredText("offset", limit: 8)
      let type = reader.isPresent("type") ? SendRequest.type(reader) : nil
      guard let text else { return nil }
      guard let offset = DayOffset(text) else {
        reader.problem("offset", "expected days such as -P7D, P0D or P1D")
        return nil
      }
      if !seen.insert(offset).inserted { reader.problem("offset", "\(offset) is there already") }
      return ScheduleReminder(offset: offset, type: type)
    }
    if reader.json["reminders"]?.array?.isEmpty == true { reader.problem("reminders", "must not be empty") }
    return reminders?.sorted { $0.offset < $1.offset }
  }

  private static func checkTemplate(_ text: String?, _ field: String, _ request: SendRequest, _ reader: FieldReader) {
    guard let text else { return }
    do throws(CatalogueError) {
      let known = request.data.merging(Occurrence(date: .first, due: .first).facts) { $1 }
      let missing = try NotificationTemplate.Part(text).missing(in: known).sorted()
      if !missing.isEmpty { reader.problem(field, "needs data.\(missing.joined(separator: " and data."))") }
    } catch {
      reader.problem(field, "\(error)")
    }
  }
}
