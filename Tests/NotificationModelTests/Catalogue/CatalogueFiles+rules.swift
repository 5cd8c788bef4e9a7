extension SampleFile {
  private static let start = "name: r, on: AppOpened, user: '{{userId}}'"

  private static func rule(_ fields: String, _ expectation: Expectation, _ message: String = "") -> SampleFile {
    .list("rules", "- { \(fields) }", expectation, message.isEmpty ? "" : "rules[0] (r).\(message)")
  }

  /// Each way to write a rule's parts, and mistakes in each.
  static let rules: [SampleFile] = [
    rule("\(start), key: 5, when: first, data: { a: '', b: 5, c: true }, notify: 171", .good),
    rule("\(start), when: { value: a, fallsBelow: 10.5 }, notify: MissYou", .good),
    rule(
      "\(start), when: { value: a.b, previous: '{{c}}', fallsBelow: { setting: lowBalanceThreshold } }, notify: MissYou",
      .good
    ),
    rule("\(start), when: { value: a, risesAbove: budget }, notify: [MissYou, { type: 171 }]", .good),
    rule("\(start), when: { value: a, atLeast: 1 }, unless: [completed, paid], notify: MissYou", .good),
    rule("\(start), when: { value: a, exceeds: b, evaluate: endOfPeriod, period: week }, notify: MissYou", .good),
    rule("\(start), when: { value: a, exceeds: b, evaluate: endOfPeriod }, notify: MissYou", .good),
    rule("\(start), when: { once: ever }, names: { senderName: senderId }, notify: MissYou", .good),
    rule("\(start), when: { once: '{{period}}' }, about: { type: Goal, id: '{{g}}' }, notify: MissYou", .good),
    rule(
      "\(start), let: { p: { percentOf: [a, 100] }, q: { minus: [a, b] } }, when: { value: p, reaches: [25, '50'] }, "
        + "notify: { 25: MissYou, else: MissYou }",
      .good
    ),
    rule(
      "\(start), remind: { due: '{{d}}', time: '09:00', offsets: [-P7D, P0D, P1W], lateness: PT6H }, unless: done, "
        + "notify: { P7D: MissYou, else: MissYou }",
      .good
    ),
    rule("\(start), remind: { at: d, before: PT30M }, notify: MissYou", .good),
    rule("\(start), remind: { at: d, before: { value: e, else: P1DT12H } }, notify: MissYou", .good),
    rule("name: r, absent: AppOpened, for: P3D, time: '10:00', notify: MissYou", .good),
    rule(
      "name: r, on: MessageSent, notify: { type: MissYou, to: { group: 'c:{{c}}', except: ['{{s}}'] }, "
        + "data: { a: '{{b?}}' }, about: { type: Goal, id: x } }",
      .good
    ),

    rule("\(start), data: { from: '{{a}}' }, notify: MissYou", .bad, "data.from: is a name reserved by FCM"),
    rule("\(start), data: { google.x: a }, notify: MissYou", .bad, "data.google.x: is a name reserved by FCM"),
    rule(
      "\(start), notify: { type: MissYou, data: { message_type: a } }",
      .bad,
      "notify.data.message_type: is a name reserved by FCM"
    ),
    rule("\(start), when: { streak: day, value: a, reaches: [7] }, notify: MissYou", .bad, "when.streak: excludes"),
    rule("\(start), when: { value: a, fallsBelow: 1, risesAbove: 2 }, notify: MissYou", .bad, "when: '"),
    rule("\(start), when: { reaches: [1] }, notify: MissYou", .bad, "when.value: is missing"),
    rule("\(start), when: { value: a, reaches: [] }, notify: MissYou", .bad, "when.reaches: expected 1 to 32"),
    rule("\(start), when: { value: a, reaches: 5 }, notify: MissYou", .bad, "when.reaches: expected a list"),
    rule("\(start), when: { value: a, atLeast: { seting: b } }, notify: MissYou", .bad, "when.atLeast.seting: is not"),
    rule("\(start), when: { value: a, exceeds: b }, notify: MissYou", .bad, "when.evaluate: is missing"),
    rule("\(start), when: { once: hour }, notify: MissYou", .bad, "when.once: expected day, week, month"),
    rule("\(start), when: first, remind: { at: x }, notify: MissYou", .bad, "remind: excludes 'when'"),
    rule("\(start), for: P3D, notify: MissYou", .bad, "for: belongs to 'absent'"),
    rule(
      "name: r, absent: AppOpened, for: P3D, time: '10:00', when: first, notify: MissYou",
      .bad,
      "when: does not go with 'absent'"
    ),
    rule("name: r, absent: AppOpened, for: 3d, time: '10:00', notify: MissYou", .bad, "for: expected days like P3D"),
    rule("\(start), remind: { due: d, time: '9', offsets: [P1D] }, notify: MissYou", .bad, "remind.time: expected"),
    rule(
      "\(start), remind: { due: d, time: '09:00', offsets: P1D }, notify: MissYou",
      .bad,
      "remind.offsets: expected"
    ),
    rule("\(start), remind: { at: d, before: 30min }, notify: MissYou", .bad, "remind.before: expected a duration"),
    rule("\(start), remind: { at: d, bevore: PT1H }, notify: MissYou", .bad, "remind.bevore: is not a known key"),
    rule("\(start), let: { p: { percentOf: [a] } }, notify: MissYou", .bad, "let.p.percentOf: expected two"),
    rule("\(start), about: { type: Goal }, notify: MissYou", .bad, "about.id: is missing"),
    rule("\(start), key: [a], notify: MissYou", .bad, "key: expected a text"),
    rule("\(start), notify: { type: MissYou, too: x }", .bad, "notify.too: is not a known key"),
    rule("\(start), notify: { seven: MissYou }", .bad, "notify.seven: expected 'type', or values"),
  ]
}
