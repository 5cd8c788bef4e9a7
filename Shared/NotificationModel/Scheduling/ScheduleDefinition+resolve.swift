public import JSON
public import WallClock

extension ScheduleDefinition {
  /// The schedule as a catalogue understands it, and every reason why that cannot serve it.
  ///
  /// - Parameter start: That of a recurrence which names none: the day it was made.
  /// - Throws: ``ValidationError`` naming `template`, `type`, `reminders[…].type` or missing `data.<variable>`s.
  public func resolve(in catalogue: Catalogue, startingOn start: LocalDate) throws(ValidationError) -> Schedule {
    var request = request
    let timing: ScheduleTiming
    switch when {
    case .once(let instant): timing = .once(instant)
    case .recurring(let rule, let own, let time, let lateness):
      timing = .recurring(rule, start: own ?? start, time: time, lateness: lateness)
    case .deadline(let due, let time, let reminders, let lateness):
      timing = .deadline(due: due, time: time, reminders: reminders, lateness: lateness)
    case .template(let name, let own, let lateness):
      guard let template = catalogue.schedule(name) else {
        throw ValidationError([FieldError("template", "'\(name.excerpt)' is not in the catalogue")])
      }
      request.type = template.type
      timing = .recurring(template.recurrence, start: own ?? start, time: template.time, lateness: lateness)
    }
    let schedule = Schedule(request: request, timing: timing, zone: zone)
    try schedule.check(in: catalogue)
    return schedule
  }
}

extension Schedule {
  /// The day's facts serve any day: only whether a template needs what is not there is asked.
  fileprivate func check(in catalogue: Catalogue) throws(ValidationError) {
    let facts = Occurrence(date: .first, due: .first).facts
    guard case .deadline(_, _, let reminders, _) = timing else {
      _ = try request.resolve(in: catalogue, knowing: facts)
      return
    }
    if reminders.contains(where: { $0.type == nil }) { _ = try request.resolve(in: catalogue, knowing: facts) }
    for (index, reminder) in reminders.enumerated() {
      guard let type = reminder.type else { continue }
      var request = request
      request.type = type
      do throws(ValidationError) {
        _ = try request.resolve(in: catalogue, knowing: facts)
      } catch {
        throw ValidationError(
          error.errors.map { FieldError($0.field == "type" ? "reminders[\(index)].type" : $0.field, $0.message) }
        )
      }
    }
  }
}

extension ScheduleDefinition {
  /// What `definition` sends at an occurrence: without the fields that say when, of the occurrence's type.
  public static func send(of definition: JSONValue, type: Catalogue.Reference) -> JSONValue {
    let left = fields.union(["type", "sendAt"])
    var members = (definition.members ?? []).filter { !left.contains($0.name) }
    let value: JSONValue =
      switch type {
      case .code(let code): .number("\(code)")
      case .name(let name): .string(name)
      }
    members.append(JSONMember(name: "type", value: value, range: 0..<0))
    return .object(members)
  }
}

extension SendRequest {
  /// How an occurrence of a schedule says the request: its own texts are templates, filled in from data and facts.
  public func telling(_ facts: [String: String], in catalogue: Catalogue) -> Wording {
    let known = data.merging(facts) { $1 }
    let own = OwnTemplates(title: title, body: body)
    let byDefault = own.render(known, catalogue.defaults.formats(locale: nil))
    return Wording(title: byDefault.title ?? title, body: byDefault.body ?? body, data: known, own: own)
  }
}
