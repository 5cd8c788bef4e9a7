import Mustache

extension NotificationTemplate {
  /// A text in Mustache with filters, and the variables it cannot do without.
  public struct Part: Sendable {
    /// As the catalogue has it.
    public let source: String
    /// All variables that it looks at.
    public let variables: Set<String>
    /// Nil for a text without tags, which is most titles.
    private let template: MustacheTemplate?
    private let needs: [Need]
    /// Tags whose value is made up before rendering.
    private let computed: [TemplateTag]
    /// What a text without sections consists of: so most bodies are put together without Mustache, which takes ten times as
    /// long. Nil where only Mustache knows.
    private let pieces: [Piece]?

    private enum Piece {
      case words(String)
      case variable(TemplateTag)
    }

    /// A variable without which there would be a blank, where some sections are shown.
    private struct Need {
      var name: String
      var conditions: [TemplateTag]

      func applies(to data: [String: String]) -> Bool {
        conditions.allSatisfy { (data[$0.name] == $0.value) == ($0.kind == .section) }
      }
    }

    /// - Throws: ``CatalogueError`` telling what is wrong with the template.
    public init(_ text: String) throws(CatalogueError) {
      do throws(CatalogueError) {
        let places = try Self.places(of: text)
        let tags = places.map(\.tag)
        source = text
        computed = tags.filter { $0.key != nil && $0.kind != .end }
        needs = Self.needs(of: tags)
        variables = Set(tags.lazy.filter { $0.kind != .comment && $0.name != "." }.map(\.name))
        template = tags.isEmpty ? nil : try Self.compile(text)
        pieces = Self.pieces(of: text, places)
      } catch {
        throw CatalogueError("template '\(text.excerpt)': \(error)")
      }
    }

    /// The filters that it puts values through.
    var filters: Set<TextFilter.Name> { Set(computed.lazy.compactMap { $0.filter?.name }) }

    /// The variables that it always needs.
    public var required: Set<String> { Set(needs.lazy.filter { $0.conditions.isEmpty }.map(\.name)) }

    /// The variables that `data` lacks.
    public func missing(in data: [String: String]) -> Set<String> {
      Set(needs.lazy.filter { data[$0.name] == nil && $0.applies(to: data) }.map(\.name))
    }

    /// - Parameter formats: What filters write by; nil means as English speakers in the United States do.
    public func render(_ data: [String: String], _ formats: TextFormats? = nil) -> String {
      guard let template else { return source }
      if let pieces { return Self.fill(pieces, data, formats) }
      var values: [String: any Sendable] = data
      for (name, value) in data {
        // Neither makes a section. As a variable, an empty text is as good as none.
        if value.isEmpty { values[name] = nil }
        if value == "false" { values[name] = false }
      }
      for tag in computed {
        guard let key = tag.key, let value = data[tag.name] else { continue }
        if let filter = tag.filter {
          values[key] = filter.text(value, data: data, formats ?? Self.americanEnglish)
        } else {
          values[key] = value == tag.value
        }
      }
      return template.render(values)
    }

    private static func fill(_ pieces: [Piece], _ data: [String: String], _ formats: TextFormats?) -> String {
      var text = ""
      for piece in pieces {
        switch piece {
        case .words(let words): text += words
        case .variable(let tag):
          guard let value = data[tag.name] else { continue }
          text += tag.filter?.text(value, data: data, formats ?? americanEnglish) ?? value
        }
      }
      return text
    }

    private static let americanEnglish = TextFormats(locale: "en-US", currency: "USD")

    // MARK: Reading

    private static var tag: Regex<(Substring, Substring)> { /\{\{(\{[^{}]*\}|[^{}]*)\}\}/ }

    private typealias Place = (range: Range<String.Index>, tag: TemplateTag)

    /// The tags, and where they stand.
    private static func places(of text: String) throws(CatalogueError) -> [Place] {
      var places: [Place] = []
      for match in text.matches(of: tag) { places.append((match.range, try TemplateTag(match.1))) }
      return places
    }

    /// Nil for a text with anything but words and variables, with braces that Mustache might see as tags, or with a line break
    /// in front, which Mustache leaves out.
    private static func pieces(of text: String, _ places: [Place]) -> [Piece]? {
      guard text.first?.isNewline != true else { return nil }
      var pieces: [Piece] = []
      var rest = text[...]
      func isPlain(_ words: Substring) -> Bool { !words.contains { $0 == "{" || $0 == "}" } }
      for (range, tag) in places {
        let words = rest[..<range.lowerBound]
        guard isPlain(words), tag.kind == .variable, tag.name != "." else { return nil }
        pieces += [.words(String(words)), .variable(tag)]
        rest = text[range.upperBound...]
      }
      return isPlain(rest) ? pieces + [.words(String(rest))] : nil
    }

    /// Sections for a value need their variable; what stands in other sections is optional.
    private static func needs(of tags: [TemplateTag]) -> [Need] {
      var needs: [Need] = []
      var open: [TemplateTag] = []
      for tag in tags {
        let isCertain = open.allSatisfy { $0.value != nil }
        let isNeeded = tag.kind == .variable || tag.value != nil && tag.kind != .end
        if isNeeded, isCertain, tag.name != "." { needs.append(Need(name: tag.name, conditions: open)) }
        switch tag.kind {
        case .section, .inverted: open.append(tag)
        case .end: _ = open.popLast()
        case .variable, .comment: break
        }
      }
      return needs
    }

    private static func compile(_ text: String) throws(CatalogueError) -> MustacheTemplate {
      let plain = text.replacing(tag) { match in (try? TemplateTag(match.1))?.compiled ?? String(match.0) }
      do {
        return try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + plain)
      } catch let error as MustacheTemplate.ParserError {
        throw CatalogueError("\(error.error)")
      } catch {
        throw CatalogueError("\(error)")
      }
    }
  }
}
