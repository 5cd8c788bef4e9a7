extension SampleFile {
  private static let reaches = "when: { streak: day, reaches: [7, 30] }"
  private static let rule = "name: r, on: AppOpened, user: '{{userId}}'"
  private static let schedule = "name: s, type: MissYou, time: '19:00'"

  static let others: [SampleFile] = [
    .whole("", .bad, "expected version"),
    .whole("- 1\n- 2", .bad, "expected version"),
    .whole("version: 1", .bad, "the file: has neither types nor events"),
    .whole("version: 2\nevents: []", .bad, "version: 2 is not 1"),
    .whole("events: []", .bad, "version: is required"),
    .whole("version: 1\nevents: []", .good),
    .whole(
      "version: 1\ntypes:\n- { code: 900, name: A, category: X }",
      .bad,
      "defaults: is required where there are types"
    ),
    .whole(
      "version: 1\ntypes:\n- { code: 900, name: A, category: X, tiltle: B }",
      .bad,
      "types[0] (A).tiltle: is not a known field"
    ),
    .whole(
      "version: 1\ndefaults: { priority: high }\ntypes:\n- { code: 900, name: A, category: X, tiltle: B }",
      .bad,
      "types[0] (A).tiltle: is not a known field"
    ),
    .whole(
      "version: 1\ncomposition: { title: '{{count} news', body: '{{titles}}' }",
      .badForParser,
      "composition.title: '{{count} news' has '{{' without '}}'"
    ),
    .type(
      "title: '{{orderId} is on its way'",
      .badForParser,
      ".title: '{{orderId} is on its way' has '{{' without '}}'"
    ),
    .type("body: { en: '{{a}} b}}', de: '{{a}}' }", .badForParser, ".body.en: '{{a}} b}}' has '}}' without '{{'"),
    .type(
      "actions: [{ id: V, title: 'View {{' }]",
      .badForParser,
      ".actions[0].title: 'View {{' has '{{' without '}}'"
    ),
    .type(
      "throttle: { atMost: 1, per: 1h, then: drop, key: '{{a' }",
      .badForParser,
      ".throttle.key: '{{a' has '{{' without '}}'"
    ),
    .type("title: '{a} } {b'", .good),
    .list(
      "rules",
      "- { \(rule), when: first, notify: MissYou, data: { a: 'b }} {{c}}' } }",
      .badForParser,
      "has '}}' without '{{'"
    ),
    .whole("version: 1\ndefaults: { priority: high }\nevents: []", .bad, "defaults.body: is required"),
    .whole("version: 1\ndefaultLocale: de-AT\ncurrency: EUR", .good),
    .whole("version: 1\ndefaultLocale: german", .bad, "defaultLocale: 'german' is not a locale"),
    .whole("version: 1\ncurrency: euro", .bad, "currency: has 4 characters"),
    .whole("version: 1\ncurrency: eur", .bad, "currency: 'eur' is not a code of ISO 4217"),
    .whole("version: 1\ncomposition: { title: '{{count}} news', body: '{{titles}}' }", .good),
    .whole("version: 1\ncomposition: { title: A }", .bad, "composition.body: is required"),
    .whole("version: 1\nevent: []", .bad, "event: is not a known field"),
    .whole("version:\nevents: []", .bad, "version: has no value: give it one, or leave it out"),
    .whole("version: 1\nevents:", .bad, "events: has no value"),
    .whole("version: 1\nevents: []\ncurrency: ~", .bad, "currency: has no value"),
    .whole("version: 1\ncomposition: { title: A, body: null }", .bad, "composition.body: has no value"),
    .type("wait: ~", .bad, ".wait: has no value"),
    .type("priority: null", .bad, ".priority: has no value"),
    .type("title: { en: A, de: ~ }", .bad, ".title.de: has no value"),
    .type("payload: [a, ~]", .bad, ".payload[1]: has no value"),
    .list("events", "- { name: A, arguments: ~ }", .bad, "events[0] (A).arguments: has no value"),
    .list("events", "- ~", .bad, "events[0]: has no value"),
    .list("rules", "- { \(rule), when: first, notify: MissYou, data: ~ }", .bad, "rules[0] (r).data: has no value"),
    .list(
      "rules",
      "- { \(rule), when: first, notify: MissYou, data: { a: ~ } }",
      .bad,
      "rules[0] (r).data.a: has no value"
    ),
    .list("schedules", "- { \(schedule), recurrence: ~ }", .bad, "schedules[0] (s).recurrence: has no value"),

    .list("categories", "- { name: School, channels: { push: true } }\n- { name: News }", .good),
    .list(
      "categories",
      "- { name: School, chanels: {} }",
      .bad,
      "categories[0] (School).chanels: is not a known field"
    ),
    .list(
      "categories",
      "- { name: School }\n- { name: school }",
      .badForParser,
      "categories[1] (school).name: school stands twice"
    ),
    .list(
      "categories",
      "- { name: School }\ntypes:\n- { code: 900, name: A, category: Schol }",
      .badForParser,
      "type A: 'Schol' is not one of the categories"
    ),

    .list("events", "- { name: Class.Over_2, arguments: [teacher] }\n- { name: Quiet, relay: false }", .good),
    .list(
      "events",
      "- { name: '' }",
      .bad,
      "events[0] ().name: expected 1 to 64 letters, digits, '_' and '.', a letter first"
    ),
    .list("events", "- { name: 1st }", .bad, "events[0] (1st).name: expected 1 to 64 letters"),
    .list("events", "- { name: Größe }", .bad, "events[0] (Größe).name: expected 1 to 64 letters"),
    .list(
      "events",
      "- { name: unreadCOUNTChanged }",
      .bad,
      "events[0] (unreadCOUNTChanged).name: the hub's own messages cannot be relayed"
    ),
    .list(
      "events",
      "- { name: NotificationChanged }",
      .bad,
      "events[0] (NotificationChanged).name: the hub's own messages cannot be relayed"
    ),
    .list(
      "events",
      "- { name: notificationDeleted }",
      .bad,
      "events[0] (notificationDeleted).name: the hub's own messages cannot be relayed"
    ),
    .list(
      "events",
      "- { name: A, arguments: [b, b] }",
      .bad,
      "events[0] (A).arguments: expected at most 16 different ones"
    ),
    .list(
      "events",
      "- { name: A, arguments: [''] }",
      .bad,
      "events[0] (A).arguments: expected at most 16 different ones"
    ),
    .list(
      "events",
      "- { name: A, arguments: [b], relay: false }",
      .bad,
      "events[0] (A).arguments: are for events that are relayed"
    ),
    .list("events", "- { name: A, amounts: [b, c], arguments: [c] }", .good),
    .list(
      "events",
      "- { name: A, amounts: [b, b] }",
      .bad,
      "events[0] (A).amounts: expected at most 16 different ones"
    ),
    .list(
      "events",
      "- { name: A, amounts: [b], relay: false }",
      .bad,
      "events[0] (A).amounts: are for events that are relayed"
    ),
    .list("events", "- { name: A }\n- { name: a }", .badForParser, "events[1] (a).name: a stands twice"),
    .list("events", "- { name: A, argument: [b] }", .bad, "events[0] (A).argument: is not a known field"),

    .list("rules", "- { \(rule), when: first, notify: MissYou }", .good),
    .list(
      "rules",
      "- { \(rule), \(reaches), notify: { 7: MissYou, else: [171, { type: MissYou, to: '{{a}}' }] } }",
      .good
    ),
    .list("rules", "- { \(rule) }", .bad, "rule 'r': notify: is missing"),
    .list("rules", "- { name: r, notify: MissYou }", .bad, "rule 'r': on: is missing, or 'absent'"),
    .list(
      "rules",
      "- { \(rule), absent: AppOpened, notify: MissYou }",
      .bad,
      "rule 'r': absent: excludes 'on'"
    ),
    .list(
      "rules",
      "- { \(rule), notify: MissMe }",
      .badForParser,
      "rule 'r': notify: 'MissMe' is not a type of the catalogue"
    ),
    .list(
      "rules",
      "- { \(rule), \(reaches), notify: { 7: MissYou, else: [{ type: 899 }] } }",
      .badForParser,
      "rule 'r': notify.else[0].type: '899' is not a type"
    ),
    .list(
      "rules",
      "- { name: r, on: AppClosed, notify: MissYou }",
      .badForParser,
      "rule 'r': on: 'AppClosed' is not an event of the catalogue"
    ),
    .list("rules", "- { \(rule), wehn: first, notify: MissYou }", .bad, "rule 'r': wehn: is not a known key"),
    .list("rules", "- { \(rule), when: fist, notify: MissYou }", .bad, "rule 'r': when: "),
    .list(
      "rules",
      "- { \(rule), data: { a: '{{b|mony}}' }, notify: MissYou }",
      .badForParser,
      "rule 'r': data.a: 'mony' is not a filter"
    ),
    .list("rules", "- { name: R, on: AppOpened, notify: MissYou }", .bad, "rule 'R': name: expected"),
    .list("rules", "- { name: miss-you, off: true }", .good),
    .list("rules", "- { name: miss-you, off: false }", .bad, "rules[0] (miss-you).off: expected true"),
    .list(
      "rules",
      "- { name: miss-you, off: true, notify: MissYou }",
      .bad,
      "rules[0] (miss-you).notify: is not a known field"
    ),
    .list("rules", "- { name: miss-me, off: true }", .badForParser, "rule miss-me: there is none to switch off"),

    .list("schedules", "- { \(schedule), recurrence: FREQ=MONTHLY;INTERVAL=2;BYDAY=-1SU }", .good),
    .list(
      "schedules",
      "- { \(schedule), recurrence: FREQ=HOURLY }",
      .bad,
      "schedules[0] (s).recurrence: expected an RRULE"
    ),
    .list(
      "schedules",
      "- { \(schedule), recurrence: FREQ=DAILY;COUNT=1;COUNT=2 }",
      .badForParser,
      "schedules[0] (s).recurrence: expected"
    ),
    .list(
      "schedules",
      "- { \(schedule), recurrence: FREQ=WEEKLY;BYDAY=-1SU }",
      .badForParser,
      "schedules[0] (s).recurrence: expected an RRULE such as FREQ=WEEKLY;BYDAY=SU: BYDAY can have ordinals"
    ),
    .list("schedules", "- { \(schedule) }", .bad, "schedules[0] (s).recurrence: is required"),
    .list(
      "schedules",
      "- { name: s, type: MissYou, time: '24:00', recurrence: FREQ=DAILY }",
      .bad,
      "schedules[0] (s).time: '24:00' is not a time"
    ),
    .list(
      "schedules",
      "- { name: s, type: NoSuch, time: '19:00', recurrence: FREQ=DAILY }",
      .badForParser,
      "schedule s: 'NoSuch' is not a type of the catalogue"
    ),
    .list(
      "schedules",
      "- { name: s, type: 1, time: '19:00', recurrence: FREQ=DAILY }",
      .badForParser,
      "schedule s: the template of BalanceAlert needs 'balance', which a schedule does not give"
    ),
    .list("schedules", "- { name: daily-log-reminder, off: true }", .good),
  ]
}
