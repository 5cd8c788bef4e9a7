import Foundation
public import Rules
public import WallClock

/// What a notification is to say, before it is said to anybody: each reader gets it in a language and in formats of their own.
public struct Wording: Sendable, Equatable {
  /// For whom it is said.
  public struct Reader: Sendable, Hashable {
    /// As in BCP 47, e.g. `de-AT`; nil means the catalogue's default.
    public var locale: String?
    /// For instants that become dates; nil means UTC.
    public var zone: Zone?

    public init(locale: String?, zone: Zone? = nil) {
      self.locale = locale
      self.zone = zone
    }
  }

  /// Taken as it is; nil means that the type's template is filled in.
  public var title: String?
  /// Taken as it is; nil means that the type's template is filled in.
  public var body: String?
  /// What the templates are filled in from. Values may have parts that are formatted for each reader.
  public var data: [String: RuleText]
  /// What is filled in in place of ``title`` and ``body``, which say it to readers of whom nothing is known.
  public var own: OwnTemplates

  public init(
    title: String? = nil,
    body: String? = nil,
    data: [String: RuleText],
    own: OwnTemplates = OwnTemplates()
  ) {
    self.title = title
    self.body = body
    self.data = data
    self.own = own
  }

  public init(
    title: String? = nil,
    body: String? = nil,
    data: [String: String],
    own: OwnTemplates = OwnTemplates()
  ) {
    self.init(title: title, body: body, data: data.mapValues { RuleText($0) }, own: own)
  }

  /// Whether a reader's locale changes a word of it.
  public func dependsOnReader(_ type: NotificationType) -> Bool {
    type.dependsOnReader(title: title, body: body) || !formatted.isEmpty || !own.filters.isEmpty
  }

  /// Whether a reader's zone does.
  public func dependsOnZone(_ type: NotificationType) -> Bool {
    type.template.dependsOnZone || formatted.union(own.filters).contains { $0.dependsOnZone }
  }

  /// The filters on parts of the data.
  private var formatted: Set<TextFilter.Name> {
    data.values.reduce(into: []) { names, text in
      for case .formatted(_, let filters) in text.parts {
        names.formUnion(filters.lazy.compactMap { TextFilter.Name(rawValue: $0.name) })
      }
    }
  }

  /// The data as the reader writes it.
  func texts(_ formats: TextFormats) -> [String: String] {
    let plain = data.mapValues(\.unformatted)
    return data.mapValues { text in
      text.text { value, filters in
        filters.reduce(value) { TextFilter($1)?.text($0, data: plain, formats) ?? $0 }
      }
    }
  }
}

extension NotificationType {
  /// Whether a notification of this type says one thing to one reader and another to the next.
  ///
  /// - Parameters: what the request brings itself, if it does.
  public func dependsOnReader(title: String?, body: String?) -> Bool {
    template.dependsOnReader && (title == nil || body == nil) || actions.contains { $0.title.locales.count > 1 }
  }
}

extension NotificationContent {
  /// The same in a reader's words; nil if the type's templates need what the wording does not have: another catalogue than
  /// this one accepted it.
  public func worded(_ wording: Wording, as type: NotificationType, for reader: Wording.Reader) -> NotificationContent?
  {
    let (text, data) = type.template.render(wording, for: reader)
    guard let text else { return nil }
    var content = self
    content.say(text)
    content.data = type.carried(of: data)
    content.locale = reader.locale
    return content
  }
}

extension LocalizedTemplate {
  /// What a wording says to readers of whom nothing is known. No text where a variable is missing.
  public func text(of wording: Wording) -> NotificationTemplate.Text? {
    render(wording, for: Wording.Reader(locale: nil)).text
  }

  /// Title and body for a reader, and the data as it stands in them. No text where a variable is missing.
  func render(
    _ wording: Wording,
    for reader: Wording.Reader
  ) -> (text: NotificationTemplate.Text?, data: [String: String]) {
    let (language, template) = templates.choose(reader.locale, fallback: defaults.locale)
    let zone = reader.zone.flatMap { TimeZone(identifier: $0.identifier) }
    let formats = defaults.formats(locale: reader.locale, language: language, timeZone: zone)
    let data = wording.texts(formats)
    guard template.missing(in: data, hasTitle: wording.title != nil, hasBody: wording.body != nil).isEmpty else {
      return (nil, data)
    }
    // One text for all: whatever its language, its values are as the reader writes them.
    let own = defaults.formats(locale: reader.locale, timeZone: zone)
    func filled(_ field: TextField, else text: @autoclosure () -> String?) -> String? {
      guard let part = wording.own.part(field) else { return text() }
      return part.fill(field, data, own)
    }
    let text = NotificationTemplate.Text(
      filled: filled(.title, else: template.title(wording.title, data, formats)),
      filled(.body, else: template.body(wording.body, data, formats, maximumBodyLength: maximumBodyLength))
    )
    return (text, data)
  }
}

extension TextFilter {
  /// Nil for a filter that there is not. An argument that is no currency, since the event's payload had another, counts as
  /// none.
  init?(_ filter: RuleText.Filter) {
    guard let name = Name(rawValue: filter.name) else { return nil }
    self.name = name
    argument = filter.argument.flatMap { $0.isCurrencyCode ? $0 : nil }
  }
}
