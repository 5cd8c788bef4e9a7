import Mustache

/// Title and body of a type in Mustache, with the variables they cannot do without.
///
/// A variable outside a section is required: a request that lacks it is refused, so that no blank reaches a person. A
/// section (`{{#reason}}…{{/reason}}`) is left out when its variable is absent. Nothing is HTML-escaped: the text is plain.
public struct NotificationTemplate: Sendable {
  /// What a rendered notification says.
  public struct Text: Sendable, Equatable {
    public var title: String
    public var body: String
  }

  private let title: Part
  private let body: Part

  /// - Throws: ``CatalogueError`` if either is no valid template.
  public init(title: String, body: String) throws(CatalogueError) {
    self.title = try Part(title)
    self.body = try Part(body)
  }

  /// The required variables that `data` lacks, in alphabetical order.
  ///
  /// - Parameters: `hasTitle` and `hasBody` tell which part the request brings itself.
  public func missing(in data: [String: String], hasTitle: Bool = false, hasBody: Bool = false) -> [String] {
    var names = Set<String>()
    if !hasTitle { names.formUnion(title.required) }
    if !hasBody { names.formUnion(body.required) }
    return names.filter { data[$0] == nil }.sorted()
  }

  /// Fills in `data`; a given title or body is taken as it is.
  public func render(title given: String?, body givenBody: String?, data: [String: String]) -> Text {
    Text(
      // A title is one line: it becomes the subject of a mail.
      title: given ?? title.template.render(data).split(whereSeparator: \.isNewline).joined(separator: " "),
      body: givenBody ?? body.template.render(data)
    )
  }

  private struct Part {
    let template: MustacheTemplate
    let required: Set<String>

    init(_ text: String) throws(CatalogueError) {
      do {
        template = try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + text)
      } catch {
        throw CatalogueError("template '\(text)': \(error)")
      }
      required = Self.requiredVariables(of: text)
    }

    /// The names in `{{name}}`, `{{{name}}}` and `{{&name}}` that stand outside every section.
    private static func requiredVariables(of text: String) -> Set<String> {
      var names = Set<String>()
      var depth = 0
      for match in text.matches(of: /\{\{\{?\s*([#^\/&]?)\s*([A-Za-z0-9_.]+)\s*\}?\}\}/) {
        switch match.1 {
        case "#", "^": depth += 1
        case "/": depth -= 1
        default: if depth == 0 { names.insert(String(match.2)) }
        }
      }
      return names
    }
  }
}
