/// Title and body of a type in one language.
///
/// A variable outside a section is required: a request that lacks it is refused, so that no blank reaches a person. A
/// section (`{{#reason}}…{{/reason}}`) is left out when its variable is absent, empty or `false`. Nothing is HTML-escaped:
/// the text is plain.
public struct NotificationTemplate: Sendable {
  /// What a rendered notification says.
  public struct Text: Sendable, Equatable {
    public var title: String
    public var body: String
    /// Those that would have more characters than may be sent: then title and body are empty, and nobody is notified.
    public private(set) var excess: [TextField] = []

    public init(title: String, body: String) {
      self.title = title
      self.body = body
    }

    /// - Parameters: nil for what has more characters than may be sent.
    init(filled title: String?, _ body: String?) {
      self.init(title: title ?? "", body: body ?? "")
      if title == nil { excess.append(.title) }
      if body == nil { excess.append(.body) }
      if !excess.isEmpty { (self.title, self.body) = ("", "") }
    }
  }

  public let title: Part
  public let body: Part

  /// Bytes that are put together of a text at most, before it is cut: see ``LocalizedTemplate/maximumBodyLength``.
  public static let maximumFilled = 256 * 1_024

  /// - Throws: ``CatalogueError`` if either is no valid template.
  public init(title: String, body: String) throws(CatalogueError) {
    self.init(title: try Part(title), body: try Part(body))
  }

  public init(title: Part, body: Part) {
    self.title = title
    self.body = body
  }

  /// The required variables that `data` lacks, in alphabetical order.
  ///
  /// - Parameters: `hasTitle` and `hasBody` say which part the request brings itself.
  public func missing(in data: [String: String], hasTitle: Bool = false, hasBody: Bool = false) -> [String] {
    var names = Set<String>()
    if !hasTitle { names.formUnion(title.missing(in: data)) }
    if !hasBody { names.formUnion(body.missing(in: data)) }
    return names.sorted()
  }

  /// Fills in `data`; a given title or body is taken as it is.
  ///
  /// - Parameter maximumBodyLength: In characters as a person counts them; the rest of a rendered body is left away.
  public func render(
    title given: String?,
    body givenBody: String?,
    data: [String: String],
    formats: TextFormats? = nil,
    maximumBodyLength: Int? = nil
  ) -> Text {
    Text(
      filled: title(given, data, formats),
      body(givenBody, data, formats, maximumBodyLength: maximumBodyLength)
    )
  }

  /// Nil if it has more characters than may be sent.
  func title(_ given: String?, _ data: [String: String], _ formats: TextFormats?) -> String? {
    if let given { return TextField.title.checked(given) }
    return title.fill(.title, data, formats)
  }

  /// Nil if it has more characters than may be sent.
  func body(
    _ given: String?,
    _ data: [String: String],
    _ formats: TextFormats?,
    maximumBodyLength: Int?
  ) -> String? {
    if let given { return TextField.body.checked(given) }
    guard let maximumBodyLength else { return body.fill(.body, data, formats) }
    return body.render(data, formats)?.first(maximumBodyLength)
  }
}

/// A part of what a notification says.
public enum TextField: String, Sendable, CaseIterable {
  case title
  case body

  /// In characters as a person counts them.
  public var limit: Int {
    switch self {
    case .title: 200
    case .body: 4_000
    }
  }

  /// What is wrong with a longer text, for whoever sent its values.
  public var problem: String { "has more than \(limit) characters, or \(4 * limit) bytes, once it is filled in" }

  /// The text; nil if it has more characters than that.
  func checked(_ text: String) -> String? { text.lengthProblem(limit: limit) == nil ? text : nil }
}

extension NotificationTemplate.Part {
  /// What it says in that place; nil if it has more characters than may be sent.
  func fill(_ field: TextField, _ data: [String: String], _ formats: TextFormats?) -> String? {
    guard let text = render(data, formats, within: 4 * field.limit) else { return nil }
    // A title is one line: it becomes the subject of a mail.
    return field.checked(field == .title ? text.onOneLine : text)
  }
}

extension String {
  fileprivate var onOneLine: String {
    // Nearly every title is one line already, and characters are dear to look at.
    guard unicodeScalars.contains(where: \.endsLine) else { return self }
    return split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  fileprivate func first(_ limit: Int) -> String {
    // There are at least as many bytes as characters, and they are counted at once.
    utf8.count > limit ? String(prefix(limit)) : self
  }
}

extension Unicode.Scalar {
  /// Whether a character that begins with it is a newline.
  fileprivate var endsLine: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
