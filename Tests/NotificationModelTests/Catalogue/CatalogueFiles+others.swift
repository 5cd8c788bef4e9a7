extension SampleFile {
  private static let reaches = "when: { streak: day, reaches: [7, 30] }"
  private static let rule = "name: r, on: AppOpened, user: '{{userId}}'"
  private static let setting = "name: s, type: number"
  private static let schedule = "name: s, type: MissYou, time: '19:00'"

  static let others: [SampleFile] = [
    .whole("", .bad, "expected version"),
    .whole("- 1\n- 2", .bad, "expected version"),
    .whole("version: 1", .bad, "the file: has neither types nor events"),
    .whole("version: 2\nevents: []", .bad, "version: 2 is not 1"),
    .whole("events: []", .bad, "version: is required"),
    .whole("version: 1\nevents: []", .good),
    .whole("version: 1\nbuiltIn: false", .good),
    .whole("version: 1\nbuiltIn: true", .good),
    .whole("version: 1\nbuiltIn: no", .bad, "builtIn: expected true or false"),
    .whole("builtIn: false", .bad, "version: is required"),
    .whole(
      "version: 1\nbuiltIn: false\nschedules: [{ \(schedule), recurrence: FREQ=DAILY }]",
      .badForParser,
      "schedules[0] (s).type: 'MissYou' is not a type of the catalogue"
    ),
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
    .whole(
      """
      version: 1
      mailLayout:
        name: A
        logo: https://a.example/logo.png
        logoWidth: 200
        link: https://a.example
        colors: { accent: '#112233', background: '#FFFFFF', surface: '#ffffff', text: '#000000' }
        darkColors: { text: '#ffffff' }
        footer: { en: B }
        address: C
        unsubscribe: D
        html: <p>{{content}}</p>
      """,
      .good
    ),
    .whole("version: 1\nmailLayout: {}", .good),
    .whole("version: 1\nmailLayout: []", .bad, "mailLayout: expected an object"),
    .whole(
      "version: 1\nmailLayout: { logo: 'https://a.example/b' }",
      .bad,
      "mailLayout.name: is required beside a logo"
    ),
    .whole(
      "version: 1\nmailLayout: { link: 'ftp://a.example' }",
      .bad,
      "mailLayout.link: 'ftp://a.example' is no link"
    ),
    .whole("version: 1\nmailLayout: { logoWidth: 90 }", .bad, "mailLayout.logoWidth: has no effect without a logo"),
    .whole("version: 1\nmailLayout: { colors: { text: '#12345' } }", .bad, "mailLayout.colors.text: '#12345' is not a"),
    .whole("version: 1\nmailLayout: { html: <p> }", .badForParser, "mailLayout.html: lacks {{content}}"),
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
    .list("categories", "- { name: News, mail: { stream: bulk, unsubscribe: true } }\n- { name: A, mail: {} }", .good),
    .list("categories", "- { name: News, mail: { stream: transactional, unsubscribe: false } }", .good),
    .list(
      "categories",
      "- { name: News, mail: { stream: broadcast } }",
      .bad,
      "categories[0] (News).mail.stream: 'broadcast' is not one of transactional, bulk"
    ),
    .list(
      "categories",
      "- { name: News, mail: { unsubscribe: 'yes' } }",
      .bad,
      "categories[0] (News).mail.unsubscribe: expected true or false"
    ),
    .list(
      "categories",
      "- { name: News, mail: { strem: bulk } }",
      .bad,
      "categories[0] (News).mail.strem: is not a known field"
    ),
    .list("categories", "- { name: News, mail: bulk }", .bad, "categories[0] (News).mail: expected an object"),
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
      "types[0] (A).category: 'Schol' is not one of the categories"
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
    .list("events", "- { name: A, payload: [b, c], relay: false, replaces: true }", .good),
    .list(
      "events",
      "- { name: A, payload: b }",
      .bad,
      "events[0] (A).payload: expected a list of the payload's members"
    ),
    .list(
      "events",
      "- { name: A, payload: [b, b] }",
      .bad,
      "events[0] (A).payload: expected at most 64 different ones"
    ),
    .list("categories", "- { name: School, replaces: no }", .bad, "categories[0] (School).replaces: expected true"),
    .list("schedules", "- { \(schedule), recurrence: FREQ=DAILY, replaces: true }", .good),
    .list("settings", "- { \(setting), default: 1, replaces: true }", .good),
    .list("rules", "- { \(rule), when: first, notify: MissYou, replaces: true }", .good),
    .list(
      "rules",
      "- { \(rule), when: first, notify: MissYou, replaces: false }",
      .bad,
      "rules[0] (r).replaces: expected true"
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
    .list("rules", "- { \(rule) }", .bad, "rules[0] (r).notify: is missing"),
    .list("rules", "- { name: r, notify: MissYou }", .bad, "rules[0] (r).on: is missing, or 'absent'"),
    .list(
      "rules",
      "- { \(rule), absent: AppOpened, notify: MissYou }",
      .bad,
      "rules[0] (r).absent: excludes 'on'"
    ),
    .list(
      "rules",
      "- { \(rule), notify: MissMe }",
      .badForParser,
      "rules[0] (r).notify: 'MissMe' is not a type of the catalogue"
    ),
    .list(
      "rules",
      "- { \(rule), \(reaches), notify: { 7: MissYou, else: [{ type: 899 }] } }",
      .badForParser,
      "rules[0] (r).notify.else[0].type: '899' is not a type"
    ),
    .list(
      "rules",
      "- { name: r, on: AppClosed, notify: MissYou }",
      .badForParser,
      "rules[0] (r).on: 'AppClosed' is not an event of the catalogue"
    ),
    .list("rules", "- { \(rule), wehn: first, notify: MissYou }", .bad, "rules[0] (r).wehn: is not a known key"),
    .list("rules", "- { \(rule), when: fist, notify: MissYou }", .bad, "rules[0] (r).when: "),
    .list(
      "rules",
      "- { \(rule), data: { a: '{{b|mony}}' }, notify: MissYou }",
      .badForParser,
      "rules[0] (r).data.a: 'mony' is not a filter"
    ),
    .list("rules", "- { name: R, on: AppOpened, notify: MissYou }", .bad, "rules[0] (R).name: expected"),
    .list("rules", "- { name: miss-you, off: true }", .good),
    .list("rules", "- { name: miss-you, off: false }", .bad, "rules[0] (miss-you).off: expected true"),
    .list(
      "rules",
      "- { name: miss-you, off: true, notify: MissYou }",
      .bad,
      "rules[0] (miss-you).notify: is not a known field"
    ),
    .list(
      "rules",
      "- { name: miss-me, off: true }",
      .badForParser,
      "rules[0] (miss-me).off: there is none to switch off"
    ),

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
      "schedules[0] (s).type: 'NoSuch' is not a type of the catalogue"
    ),
    .list(
      "schedules",
      "- { name: s, type: 1, time: '19:00', recurrence: FREQ=DAILY }",
      .badForParser,
      "schedules[0] (s).type: the template of BalanceAlert needs 'balance', which a schedule does not give"
    ),
    .list("schedules", "- { name: daily-log-reminder, off: true }", .good),

    .list("settings", "- { \(setting), default: 1 }", .good),
    .list("settings", "- { \(setting), minimum: -1.5, maximum: 2, default: -1.5, title: { en: S, de: T } }", .good),
    .list("settings", "- { \(setting) }", .bad, "settings[0] (s).default: is required"),
    .list("settings", "- { name: s, default: 1 }", .bad, "settings[0] (s).type: is required"),
    .list("settings", "- { name: s, type: text, default: 1 }", .bad, "settings[0] (s).type: 'text' is not number"),
    .list("settings", "- { type: number, default: 1 }", .bad, "settings[0].name: is required"),
    .list(
      "settings",
      "- { name: a.b, type: number, default: 1 }",
      .bad,
      "settings[0] (a.b).name: expected 1 to 64 letters, digits, '_' and '-', a letter first"
    ),
    .list(
      "settings",
      "- { name: SoundEnabled, type: number, default: 1 }",
      .bad,
      "settings[0] (SoundEnabled).name: is a setting of every user's"
    ),
    .list("settings", "- { \(setting), default: '1' }", .bad, "settings[0] (s).default: expected a number from"),
    .list("settings", "- { \(setting), default: 1e15 }", .bad, "settings[0] (s).default: expected a number from"),
    .list(
      "settings",
      "- { \(setting), default: 1, maximun: 2 }",
      .bad,
      "settings[0] (s).maximun: is not a known field"
    ),
    .list(
      "settings",
      "- { \(setting), minimum: 2, default: 1 }",
      .badForParser,
      "settings[0] (s).default: expected a number from 2 to 999999999999999"
    ),
    .list(
      "settings",
      "- { \(setting), minimum: 2, maximum: 1, default: 1 }",
      .badForParser,
      "settings[0] (s).minimum: 2 is above the maximum 1"
    ),
    .list(
      "settings",
      "- { \(setting), default: 1 }\n- { name: S, type: number, default: 2 }",
      .badForParser,
      "settings[1] (S).name: S stands twice"
    ),
    .list(
      "settings",
      (0..<33).map { "- { name: s\($0), type: number, default: 1 }" }.joined(separator: "\n"),
      .bad,
      "settings: has 33 entries; at most 32 are allowed"
    ),
    .list(
      "settings",
      (0..<32).map { "- { name: s\($0), type: number, default: 1 }" }.joined(separator: "\n"),
      .badForParser,
      "there are 33 settings; at most 32 are allowed"
    ),
  ]
}
