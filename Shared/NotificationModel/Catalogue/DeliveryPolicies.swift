/// What the recipient's quiet hours do to a type's pushes.
public enum QuietHoursPolicy: String, Sendable, Codable, CaseIterable {
  /// Held until the quiet hours end.
  case `defer`
  /// As ``defer``, and always delivered as one with whatever else was held.
  case compose = "digest"
  /// Left out with its reason; the inbox has it all the same.
  case drop
  /// Delivered, and marked urgent.
  case pierce
}

/// Gathers what happens within a window and delivers it as one.
public struct Digest: Sendable {
  public var channel: Channel
  /// Seconds from the first notification of a window to its end.
  public var every: Int
  /// Mustache over the request's data: what shares a window; nil means all of the type.
  public var key: NotificationTemplate.Part?
  /// Over the data of the latest, and `count`.
  public var texts: LocalizedTemplate
}

/// So many of a type in a time, and what becomes of the rest.
public struct Throttle: Sendable {
  public enum Excess: String, Sendable, Codable, CaseIterable { case hold, drop }

  public var atMost: Int
  /// Seconds.
  public var per: Int
  /// Mustache over the request's data: what is counted together; nil means all of the type.
  public var key: NotificationTemplate.Part?
  public var then: Excess
}

/// A button on a notification.
public struct NotificationAction: Sendable, Equatable {
  /// As apps know it, e.g. `VIEW_GOALS`.
  public var id: String
  public var title: LocalizedText
  /// Where it leads in a mail; nil: mails do not have it.
  public var link: LinkTemplate?
}

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
    let channels = reader.routing.filter { $0.channel != .inApp }
    guard let name = reader.text("channel", limit: 64) else { return nil }
    guard let routing = channels.first(where: { $0.name == name }) else {
      let known = channels.map(\.name).joined(separator: ", ")
      reader.problem("channel", "'\(name.excerpt)' is not one of \(known)")
      return nil
    }
    return routing.channel
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
  static let fields: Set = ["id", "title", "link"]

  init?(_ reader: FieldReader, original: String) {
    reader.refuseUnknown(known: Self.fields)
    let id = reader.requiredText("id", limit: 64)
    if let id, id.wholeMatch(of: /[A-Za-z0-9_.\-]+/) == nil {
      reader.problem("id", "'\(id.excerpt)' has other characters than letters, digits, '_', '.' and '-'")
    }
    if !reader.isPresent("title") { reader.problem("title", "is required") }
    let link = Self.link(reader)
    guard let id, let title = reader.localized("title", limit: 64, original: original) else { return nil }
    self.init(id: id, title: title, link: link)
  }

  private static func link(_ reader: FieldReader) -> LinkTemplate? {
    guard let text = reader.text("link", limit: 1_000) else { return nil }
    do throws(CatalogueError) {
      return try LinkTemplate(text)
    } catch {
      reader.problem("link", error.description)
      return nil
    }
  }
}
