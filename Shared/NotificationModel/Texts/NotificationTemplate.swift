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

    public init(title: String, body: String) {
      self.title = title
      self.body = body
    }
  }

  public let title: Part
  public let body: Part

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
  /// - Parameters: `hasTitle` and `hasBody` tell which part the request brings itself.
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
      // A title is one line: it becomes the subject of a mail.
      title: given ?? title.render(data, formats).onOneLine,
      body: givenBody ?? body.render(data, formats).first(maximumBodyLength)
    )
  }
}

extension String {
  fileprivate var onOneLine: String {
    // Nearly every title is one line already, and characters are dear to look at.
    guard unicodeScalars.contains(where: \.endsLine) else { return self }
    return split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  fileprivate func first(_ limit: Int?) -> String {
    // There are at least as many bytes as characters, and they are counted at once.
    guard let limit, utf8.count > limit else { return self }
    return String(prefix(limit))
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
