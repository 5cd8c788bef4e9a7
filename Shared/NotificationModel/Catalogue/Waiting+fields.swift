/// How a catalogue file says what waits.
extension Digest {
  static let fields: Set = ["channel", "every", "key", "title", "body"]

  init?(_ reader: FieldReader, original: String) {
    reader.refuseUnknown(known: Self.fields)
    for name in ["channel", "every"] where !reader.isPresent(name) { reader.problem(name, "is required") }
    let channel = Self.channel(reader)
    let every = reader.seconds("every")
    let key = reader.part("key")
    let templates = reader.templates(original: original)
    guard let channel, let every, let templates else { return nil }
    self.init(channel: channel, every: every, key: key, texts: LocalizedTemplate(templates))
  }

  private static func channel(_ reader: FieldReader) -> Channel? {
    let known = Channel.allCases.filter { $0 != .inApp }.map(\.name).joined(separator: ", ")
    guard let name = reader.text("channel", limit: 64) else { return nil }
    guard let channel = Channel.allCases.first(where: { $0.name == name }), channel != .inApp else {
      reader.problem("channel", "'\(name.excerpt)' is not one of \(known)")
      return nil
    }
    return channel
  }
}

extension Throttle {
  static let fields: Set = ["atMost", "per", "key", "then"]

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: Self.fields)
    for name in ["atMost", "per", "then"] where !reader.isPresent(name) { reader.problem(name, "is required") }
    let atMost = reader.integer("atMost", in: 1...10_000)
    let per = reader.seconds("per")
    let key = reader.part("key")
    let then = reader.choice("then", Excess.self)
    guard let atMost, let per, let then else { return nil }
    self.init(atMost: atMost, per: per, key: key, then: then)
  }
}

extension NotificationAction {
  static let fields: Set = ["id", "title"]

  init?(_ reader: FieldReader, original: String) {
    reader.refuseUnknown(known: Self.fields)
    let id = reader.requiredText("id", limit: 64)
    if let id, id.wholeMatch(of: /[A-Za-z0-9_.\-]+/) == nil {
      reader.problem("id", "'\(id.excerpt)' has other characters than letters, digits, '_', '.' and '-'")
    }
    if !reader.isPresent("title") { reader.problem("title", "is required") }
    guard let id, let title = reader.localized("title", limit: 64, original: original) else { return nil }
    self.init(id: id, title: title)
  }
}
