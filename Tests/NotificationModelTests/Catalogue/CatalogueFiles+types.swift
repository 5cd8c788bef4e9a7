extension SampleFile {
  static let types: [SampleFile] = [
    .type("", .good),
    .type("titel: B", .bad, ".titel: is not a known field"),
    .type("channels: { inApp: true }", .good),
    .type(
      "channels: { inApp: true, sms: true }",
      .bad,
      ".channels: 'sms' is no channel of this version, which knows inApp, push, email"
    ),
    .type("channels: { Push: true }", .bad, ".channels: 'Push' is no channel of this version"),
    .type("wait: { '4': 1h }", .bad, ".wait: '4' is no channel of this version"),
    .type("channels: { push: 1 }", .bad, ".channels.push: expected true or false"),
    .type("priority: urgent", .bad, ".priority: 'urgent' is not one of normal, high"),
    .type("timeToLiveDays: 0", .bad, ".timeToLiveDays: expected a whole number from 1 to 36500"),
    .type("timeToLiveDays: 9000000000000000000", .bad, ".timeToLiveDays: expected a whole number"),
    .type("title: { en: Hello, de: Hallo }, body: { en: A, de: B }", .good),
    .type("title: Hello, body: { en: A, de-AT: B, pt_BR: C }", .good),
    .type(
      "title: { en: Hello, de: Hallo }, body: { en: A, fr: B }",
      .badForParser,
      ".body: has en, fr, but title has de, en"
    ),
    .type("title: { de: Hallo }", .badForParser, ".title: has no text for the default locale en"),
    .type("title: { en: A, english: B }", .bad, ".title.english: is not a locale such as en or de-AT"),
    .type("title: { de-AT: A, de_at: B, en: C }", .badForParser, ".title.de_at: stands twice for de-AT"),
    .type("title: 5", .bad, ".title: expected a string"),
    .type(
      "body: { en: 'You got {{amount}}', de: 'Geld bekommen' }",
      .badForParser,
      ".body.de: lacks {{amount}}, which en has"
    ),
    .type("body: { en: 'Money', de: 'Du hast {{betrag}}' }", .badForParser, ".body.de: has {{betrag}}, which en lacks"),
    .type(
      "body: '{{#open}} never closed'",
      .badForParser,
      ".body: template '{{#open}} never closed': expectedSectionEnd"
    ),
    .type(
      "body: '{{amount|monney}}'",
      .badForParser,
      ".body: template '{{amount|monney}}': 'monney' is not a filter (money"
    ),
    .type("body: '{{date|date:EUR}}'", .badForParser, ".body: template '{{date|date:EUR}}': 'date:EUR': only money"),
    .type("body: '{{>partial}}'", .badForParser, ".body: template '{{>partial}}': {{>partial}} is not a variable"),
    .type("body: '{{#a|money}}x{{/a|money}}'", .badForParser, ".body: template"),
    .type("maximumBodyLength: 100", .good),
    .type("maximumBodyLength: 0", .bad, ".maximumBodyLength: expected a whole number from 1 to 4000"),
    .type("quietHours: pierce", .good),
    .type("quietHours: wait", .bad, ".quietHours: 'wait' is not one of defer, digest, drop, pierce"),
    .type("wait: { email: 15min, push: 90s }", .good),
    .type("wait: { email: 15 }", .bad, ".wait.email: expected a time from 1s to 30d"),
    .type("wait: { email: 0s }", .bad, ".wait.email: expected a time from 1s to 30d"),
    .type("wait: { email: 31d }", .bad, ".wait.email: expected a time from 1s to 30d"),
    .type("wait: { email: 721h }", .bad, ".wait.email: expected a time from 1s to 30d"),
    .type("wait: { email: 720h }, timeToLiveDays: 40", .good),
    .type("wait: { inApp: 1h }", .bad, ".wait.inApp: is never held back"),
    .type("wait: { email: 1d }, timeToLiveDays: 1", .badForParser, ".wait.email: is not shorter than"),
    .type("digest: { channel: push, every: 1h, key: '{{id}}', title: '{{count}} news', body: B }", .good),
    .type(
      "digest: { channel: push, every: 1h, key: '{{id}}', title: '{{count}}', body: '{{#n}}{{n}}{{/n}}' }, payload: [n]",
      .good
    ),
    .type(
      "digest: { channel: push, every: 1h, title: '{{count}} for {{name}}', body: B }, payload: [n]",
      .badForParser,
      ".digest.title: a digest has no 'name': it is not in the type's payload"
    ),
    .type(
      "digest: { channel: push, every: 1h, title: A, body: { en: '{{#n}}{{n}}{{/n}}' } }, payload: []",
      .badForParser,
      ".digest.body: a digest has no 'n': it is not in the type's payload"
    ),
    .type("digest: { channel: push, every: 1h, title: '{{count}} for {{name}}', body: B }", .good),
    .type("digest: { channel: push, every: 1h, title: A }", .bad, ".digest.body: is required"),
    .type(
      "digest: { channel: inApp, every: 1h, title: A, body: B }",
      .bad,
      ".digest.channel: 'inApp' is not one of push, email"
    ),
    .type("digest: { channel: push, every: 1w, title: A, body: B }", .bad, ".digest.every: expected a time"),
    .type("throttle: { atMost: 3, per: 1h, key: '{{goalId}}', then: hold }", .good),
    .type("throttle: { atMost: 0, per: 1h, then: hold }", .bad, ".throttle.atMost: expected a whole number from 1 to"),
    .type("throttle: { atMost: 3, per: 1h }", .bad, ".throttle.then: is required"),
    .type("throttle: { atMost: 3, per: 1h, then: wait }", .bad, ".throttle.then: 'wait' is not one of hold, drop"),
    .type("throttle: { atMost: 3, per: 1h, then: drop }, quietHours: pierce", .bad, ".throttle: has no effect"),
    .type("actions: [{ id: VIEW, title: { en: View, de: Ansehen } }, { id: OPEN, title: Open }]", .good),
    .type(
      "actions: [{ id: VIEW, title: View }, { id: VIEW, title: Other }]",
      .badForParser,
      ".actions[1].id: VIEW stands twice"
    ),
    .type("actions: [{ id: 'a b', title: View }]", .bad, ".actions[0].id: 'a b' has other characters"),
    .type("actions: [{ id: VIEW }]", .bad, ".actions[0].title: is required"),
    .type("actions: [{ id: VIEW, title: A, icon: eye }]", .bad, ".actions[0].icon: is not a known field"),
    .type("actions: [{ id: VIEW, title: View, link: 'https://a.example/{{id}}' }], payload: [id]", .good),
    .type("actions: [{ id: VIEW, title: A, link: 'http://a.example' }]", .badForParser, ".actions[0].link: 'http"),
    .type(
      "actions: [{ id: VIEW, title: A, link: 'https://a.example/{{id}}' }], payload: [n]",
      .badForParser,
      ".actions[0].link: a link has no 'id': it is not in the type's payload"
    ),
    .type("mail: { subject: { en: A, de: B } }", .good),
    .type("mail: { subject: A, text: 'B {{n}}', html: '<p>B {{n}}</p>' }, payload: [n]", .good),
    .type("mail: {}", .bad, ".mail: has neither subject nor text nor html"),
    .type("mail: { html: <p>B</p> }", .bad, ".mail.text: is required where there is html"),
    .type("mail: { subject: A, from: B }", .bad, ".mail.from: is not a known field"),
    .type("mail: { text: A, html: '<script>' }", .badForParser, ".mail.html: has <script>"),
    .type(
      "mail: { subject: { en: A, de: B }, text: { en: C, fr: D } }",
      .badForParser,
      ".mail.text: has en, fr, but subject has de, en"
    ),
    .type(
      "mail: { subject: '{{a}}' }, payload: [n]",
      .badForParser,
      ".mail: a mail has no 'a': it is not in the type's payload"
    ),
    .type("sound: bell.caf", .good),
    .type("sound: ''", .bad, ".sound: must not be empty"),
    .type("android: data, analyticsLabel: dinner-1.2_a~%", .good),
    .type("android: notification, payload: [title, body, tag, sound]", .good),
    .type(
      "android: data, payload: [amount, tag]",
      .badForParser,
      ".payload: 'tag' is the notification's own in what Android apps get as data"
    ),
    .type("android: both", .bad, ".android: 'both' is not one of notification, data"),
    .type("android: true", .bad, ".android: expected one of notification, data"),
    .type("analyticsLabel: \(String(repeating: "x", count: 50))", .good),
    .type("analyticsLabel: \(String(repeating: "x", count: 51))", .bad, ".analyticsLabel: expected 1 to 50 of"),
    .type("analyticsLabel: ''", .bad, ".analyticsLabel: expected 1 to 50 of"),
    .type("analyticsLabel: a b", .bad, ".analyticsLabel: expected 1 to 50 of"),
    .type("analyticsLabel: größe", .bad, ".analyticsLabel: expected 1 to 50 of"),
    .type("mutableContent: true", .good),
    .type("mutableContent: 1", .bad, ".mutableContent: expected true or false"),
    .type("example: { a: b, c: 1.5, d: true }, replaces: true", .good),
    .type("example: [a]", .bad, ".example: expected an object"),
    .type("example: { a: [b] }", .bad, ".example.a: expected a string, a number or a boolean"),
    .type("example: { from: a }", .bad, ".example.from: is a name reserved by FCM"),
    .type("replaces: false", .bad, ".replaces: expected true"),
    .type("replaces: 1", .bad, ".replaces: expected true"),
    .type("payload: [conversationId]", .good),
    .type("payload: [message_type]", .bad, ".payload: 'message_type' is a name reserved by FCM"),
    .type("payload: [a, a]", .bad, ".payload: expected at most 64 different names"),
    .list("types", "- { name: A, category: X }", .bad, "types[0] (A).code: is required"),
    .list(
      "types",
      "- { code: 0, name: A, category: X }",
      .bad,
      "types[0] (A).code: expected a whole number from 1 to 32767"
    ),
    .list("types", "- { code: 32768, name: A, category: X }", .bad, "types[0] (A).code: expected"),
    .list("types", "- { code: 900, name: '', category: X }", .bad, "types[0] ().name: must not be empty"),
    .list("types", "- { code: 900, name: '42', category: X }", .bad, "types[0] (42).name: '42' is no name"),
    .list("types", "- { code: 900, name: A }", .bad, "types[0] (A).category: is required"),
    .list(
      "types",
      "- { code: 900, name: A, category: X }\n- { code: 900, name: B, category: X }",
      .badForParser,
      "types[1] (B).code: 900 stands twice"
    ),
    .list(
      "types",
      "- { code: 900, name: A, category: X }\n- { code: 901, name: a, category: X }",
      .badForParser,
      "types[1] (a).name: a stands twice"
    ),
    .list(
      "types",
      "- { code: 900, name: balancealert, category: X }",
      .badForParser,
      "types 1 and 900 are both named balancealert"
    ),
    .list("types", "- 5", .bad, "types[0]: expected an object"),
    .list("types", "  A: 5", .bad, "types: expected a list of objects"),
  ]
}
