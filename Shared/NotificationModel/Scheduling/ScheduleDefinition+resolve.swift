public import BelfryJSON
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
        throw ValidationError([FieldError("template", catalogue.unknown(schedule: name))])
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

extension Schedule {
  /// Checks what only a new definition is held to, for those that are stored go on: its texts have no tag that was begun or ended
  /// by mistake, and are not too long once they are filled in, for readers of any language that there are texts in. A topic has room
  /// for its data.
  ///
  /// Numbers and dates that a reader writes at greater length show when it is sent.
  ///
  /// - Throws: ``ValidationError`` naming `title` and `body`, or `data`.
  public func checkTexts(in catalogue: Catalogue) throws(ValidationError) {
    var problems: [FieldError] = []
    for (field, text) in [(TextField.title, request.title), (.body, request.body)] {
      guard let text, let stray = NotificationTemplate.Part.strayBraces(in: text) else { continue }
      problems.append(FieldError(field.rawValue, "'\(text.excerpt)' \(stray)"))
    }
    guard problems.isEmpty else { throw ValidationError(problems) }
    let facts = Occurrence(date: .first, due: .first).facts
    let wording = request.wording(
      with: facts,
      in: catalogue,
      by: OwnTemplates(title: request.title, body: request.body)
    )
    var excess: Set<TextField> = []
    for type in types.compactMap(catalogue.type) {
      for locale in [nil] + type.template.locales {
        excess.formUnion(type.template.render(wording, for: Wording.Reader(locale: locale)).text?.excess ?? [])
      }
    }
    guard excess.isEmpty else {
      throw ValidationError(TextField.allCases.filter(excess.contains).map { FieldError($0.rawValue, $0.problem) })
    }
    guard case .topic = request.audience else { return }
    for type in types.compactMap(catalogue.type) { try request.checkTopicData(of: type) }
  }

  /// What its occurrences are of, each once.
  private var types: [Catalogue.Reference] {
    guard case .deadline(_, _, let reminders, _) = timing else { return [request.type] }
    return reminders.reduce(into: []) { types, reminder in
      let type = reminder.type ?? request.type
      if !types.contains(type) { types.append(type) }
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
  public func wording(with facts: [String: String], in catalogue: Catalogue) -> Wording {
    wording(with: facts, in: catalogue, by: OwnTemplates(title: title, body: body))
  }

  fileprivate func wording(with facts: [String: String], in catalogue: Catalogue, by own: OwnTemplates) -> Wording {
    let known = data.merging(facts) { $1 }
    let formats = catalogue.defaults.formats(locale: nil)
    // What is too long to be sent is sent to nobody.
    func byDefault(_ field: TextField, _ text: String?) -> String? {
      own.part(field).map { $0.fill(field, known, formats) ?? "" } ?? text
    }
    return Wording(title: byDefault(.title, title), body: byDefault(.body, body), data: known, own: own)
  }
}
