/// What types of a file are that say nothing themselves. All of it is needed.
struct TypeDefaults {
  let channels: PerChannel<Bool>
  let priority: NotificationType.Priority
  let timeToLiveDays: Int
  let title: Localized<String>
  let body: Localized<String>

  static let fields: Set = ["channels", "priority", "timeToLiveDays", "title", "body"]

  init?(_ reader: FieldReader, original: String) {
    reader.refuseUnknown(known: Self.fields)
    for name in Self.fields.sorted() where !reader.isPresent(name) { reader.problem(name, "is required") }
    let channels = reader.channels("channels")
    let priority = reader.choice("priority", NotificationType.Priority.self)
    let days = reader.integer("timeToLiveDays", in: TypeEntry.days)
    let title = reader.localized("title", limit: 200, original: original)
    let body = reader.localized("body", limit: 4_000, original: original)
    guard let channels, let priority, let days, let title, let body else { return nil }
    self.channels = channels
    self.priority = priority
    timeToLiveDays = days
    self.title = title
    self.body = body
  }

  /// What stands in for defaults that cannot be read, so that the types are read all the same: no catalogue is made of it.
  init(original: String) {
    channels = PerChannel()
    priority = .normal
    timeToLiveDays = TypeEntry.days.upperBound
    title = Localized("", original: original)
    body = Localized("", original: original)
  }
}

/// A type as a file has it.
struct TypeEntry: Sendable {
  static let days = 1...36_500
  static let fields: Set = [
    "code", "name", "category", "channels", "priority", "timeToLiveDays", "title", "body", "maximumBodyLength",
    "quietHours", "wait", "digest", "throttle", "actions", "sound", "mutableContent", "payload", "example",
    "replaces", "android", "analyticsLabel", "mail",
  ]

  /// With the file's default channels where it has none of its own.
  let type: NotificationType
  /// Otherwise its category's channels count, if that has any.
  let hasOwnChannels: Bool

  init?(_ reader: FieldReader, defaults: TypeDefaults, original: String) {
    reader.refuseUnknown(known: Self.fields)
    if !reader.isPresent("code") { reader.problem("code", "is required") }
    let code = reader.integer("code", in: 1...32_767)
    let name = reader.name("name")
    let category = reader.name("category")
    let channels = reader.channels("channels")
    let timeToLive = 86_400 * (reader.integer("timeToLiveDays", in: Self.days) ?? defaults.timeToLiveDays)
    let templates = reader.templates(title: defaults.title, body: defaults.body, original: original)
    let maximum = reader.integer("maximumBodyLength", in: 1...4_000)
    let quietHours = reader.choice("quietHours", QuietHoursPolicy.self) ?? .defer
    let waits = Self.waits(reader, timeToLive: timeToLive)
    let digest = reader.object("digest") { Digest($0, original: original) }
    let throttle = reader.object("throttle") { Throttle($0) }
    if throttle != nil, quietHours == .pierce { reader.problem("throttle", "has no effect on a type that pierces") }
    let actions = Self.actions(reader, original: original)
    let sound = Self.sound(reader)
    let isMutable = reader.optional("mutableContent", Bool.self, expected: "true or false") ?? false
    let payload = Self.payload(reader)
    let example = reader.object("example") { $0.data() }?.texts
    reader.checkReplaces()
    let android = reader.choice("android", NotificationType.AndroidForm.self) ?? .notification
    let label = Self.analyticsLabel(reader)
    if android == .data {
      for name in payload ?? [] where NotificationType.AndroidForm.ownNames.contains(name) {
        reader.problem("payload", "'\(name.excerpt)' is the notification's own in what Android apps get as data")
      }
    }
    if let digest, let payload { Self.check(digest, payload, reader) }
    let mail = reader.object("mail") { MailTexts($0, original: original) }
    if let payload, let templates {
      Self.check(mail, templates, payload, reader)
      Self.check(actions, payload, reader)
    }
    let priority = reader.choice("priority", NotificationType.Priority.self)
    guard let code, let name, let category, let templates else { return nil }
    hasOwnChannels = channels != nil
    type = NotificationType(
      code: code,
      name: name,
      category: category,
      channels: channels ?? defaults.channels,
      priority: priority ?? defaults.priority,
      timeToLive: timeToLive,
      template: LocalizedTemplate(templates, maximumBodyLength: maximum),
      quietHours: quietHours,
      waits: waits,
      digest: digest,
      throttle: throttle,
      actions: actions,
      sound: sound,
      isMutable: isMutable,
      payload: payload,
      example: example,
      android: android,
      analyticsLabel: label,
      mailTexts: mail
    )
  }

  private static func waits(_ reader: FieldReader, timeToLive: Int) -> PerChannel<Int> {
    let waits = reader.perChannel("wait") { reader, name -> Int? in
      guard let seconds = reader.seconds(name) else { return nil }
      if name == Channel.inApp.name { reader.problem(name, "is never held back") }
      if seconds >= timeToLive { reader.problem(name, "is not shorter than the type's time to live") }
      return seconds
    }
    return waits ?? PerChannel()
  }

  private static func actions(_ reader: FieldReader, original: String) -> [NotificationAction] {
    var ids = Set<String>()
    let actions = reader.objects("actions", limit: 10) { reader -> NotificationAction? in
      guard let action = NotificationAction(reader, original: original) else { return nil }
      if !ids.insert(action.id).inserted { reader.problem("id", "\(action.id) stands twice") }
      return action
    }
    return actions ?? []
  }

  private static func payload(_ reader: FieldReader) -> [String]? {
    guard let names = reader.optional("payload", [String].self, expected: "a list of the data's members") else {
      return nil
    }
    if names.count > 64 || Set(names).count < names.count || !names.allSatisfy({ (1...128).contains($0.utf8.count) }) {
      reader.problem("payload", "expected at most 64 different names of 1 to 128 bytes")
    }
    for name in names where DataName.isReserved(name) {
      reader.problem("payload", "'\(name.excerpt)' is a name reserved by FCM")
    }
    return names
  }

  /// A digest is made of what was stored with its members.
  private static func check(_ digest: Digest, _ payload: [String], _ reader: FieldReader) {
    let known = Set(payload).union(["count"])
    for (field, part) in [("title", \NotificationTemplate.title), ("body", \NotificationTemplate.body)] {
      let variables = digest.texts.templates.values.values.reduce(into: Set<String>()) {
        $0.formUnion($1[keyPath: part].variables)
      }
      for name in variables.subtracting(known).sorted() {
        reader.problem("digest.\(field)", "a digest has no '\(name.excerpt)': it is not in the type's payload")
      }
    }
  }

  /// A mail is made of what travels. Its own words are taken if title and body are those of the type, which is found out by filling them in
  /// once more.
  private static func check(
    _ mail: MailTexts?,
    _ templates: Localized<NotificationTemplate>,
    _ payload: [String],
    _ reader: FieldReader
  ) {
    guard let mail else { return }
    let texts = templates.values.values.reduce(into: Set<String>()) {
      $0.formUnion($1.title.variables.union($1.body.variables))
    }
    for name in mail.variables.union(texts).subtracting(payload).sorted() {
      reader.problem("mail", "a mail has no '\(name.excerpt)': it is not in the type's payload")
    }
  }

  private static func check(_ actions: [NotificationAction], _ payload: [String], _ reader: FieldReader) {
    for (index, action) in actions.enumerated() {
      for name in (action.link?.variables ?? []).subtracting(payload).sorted() {
        reader.problem("actions[\(index)].link", "a link has no '\(name.excerpt)': it is not in the type's payload")
      }
    }
  }

  /// Source: https://firebase.google.com/docs/cloud-messaging/understand-delivery ("Adding analytics labels to messages")
  private static func analyticsLabel(_ reader: FieldReader) -> String? {
    guard let label = reader.text("analyticsLabel", limit: 64) else { return nil }
    if label.wholeMatch(of: /[a-zA-Z0-9\-_.~%]{1,50}/) == nil {
      reader.problem("analyticsLabel", "expected 1 to 50 of the characters a-z, A-Z, 0-9, '-', '_', '.', '~' and '%'")
    }
    return label
  }

  private static func sound(_ reader: FieldReader) -> String {
    guard let sound = reader.text("sound", limit: 64) else { return "default" }
    if sound.isEmpty { reader.problem("sound", "must not be empty") }
    return sound
  }
}
