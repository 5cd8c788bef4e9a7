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
    /// What it consists of, in order.
    private let pieces: [Piece]
    /// Whether it is words and variables alone: so most texts are put together without Mustache, which takes ten times as long.
    private let isPlain: Bool
    /// Variables with filters, each once, however often it stands there.
    private let filtered: [TemplateTag]
    /// Sections that want a value.
    private let wanting: [TemplateTag]

    private enum Piece {
      case words(String)
      case variable(String)
      /// Index into ``filtered``.
      case filtered(Int)
      case section(TemplateTag)
      case end
    }

    /// A variable without which there would be a blank, where some sections are shown.
    private struct Need {
      var name: String
      var conditions: [TemplateTag]

      func applies(to data: [String: String]) -> Bool {
        conditions.allSatisfy { (data[$0.name] == $0.value) == ($0.kind == .section) }
      }
    }

    /// - Throws: ``CatalogueError`` that says what is wrong with the template.
    public init(_ text: String) throws(CatalogueError) {
      do throws(CatalogueError) {
        let places = try Self.places(of: text)
        let tags = places.map(\.tag)
        source = text
        var filtered: [TemplateTag] = []
        pieces = Self.pieces(of: text, places, &filtered)
        self.filtered = filtered
        isPlain = Self.isPlain(text, places)
        wanting = tags.filter { $0.value != nil && $0.kind != .end }
        needs = Self.needs(of: tags)
        variables = Set(tags.lazy.filter { $0.kind != .comment && $0.name != "." }.map(\.name))
        template = tags.isEmpty ? nil : try Self.compile(text)
      } catch {
        throw CatalogueError("template '\(text.excerpt)': \(error)")
      }
    }

    /// The filters that it puts values through.
    var filters: Set<TextFilter.Name> { Set(filtered.lazy.compactMap { $0.filter?.name }) }

    /// Whether it has letters besides its values.
    var hasWords: Bool {
      pieces.contains { if case .words(let words) = $0 { words.contains(where: \.isLetter) } else { false } }
    }

    /// The variables that some data cannot do without.
    var needed: Set<String> { Set(needs.lazy.map(\.name)) }

    /// The variables that `data` lacks.
    public func missing(in data: [String: String]) -> Set<String> {
      Set(needs.lazy.filter { data[$0.name] == nil && $0.applies(to: data) }.map(\.name))
    }

    /// The text with its values; nil if it has more bytes than that. No more is put together than it takes to see that.
    ///
    /// - Parameter formats: What filters write by; nil means as English speakers in the United States do.
    public func render(
      _ data: [String: String],
      _ formats: TextFormats? = nil,
      within bytes: Int = NotificationTemplate.maximumFilled
    ) -> String? {
      guard let template else { return source.utf8.count <= bytes ? source : nil }
      let formatted = filtered.map { tag in
        data[tag.name].flatMap { tag.filter?.text($0, data: data, formats ?? Self.americanEnglish) }
      }
      if isPlain { return fill(data, formatted, within: bytes) }
      // Lines that hold nothing but a section's tag are left out: they are the template's own.
      guard measures(data, formatted, within: bytes + source.utf8.count) else { return nil }
      var values: [String: any Sendable] = data
      for (name, value) in data {
        // Neither makes a section. As a variable, an empty text is as good as none.
        if value.isEmpty { values[name] = nil }
        if value == "false" { values[name] = false }
      }
      for (tag, text) in zip(filtered, formatted) {
        if let key = tag.key, let text { values[key] = text }
      }
      for tag in wanting {
        if let key = tag.key, let value = data[tag.name] { values[key] = value == tag.value }
      }
      let text = template.render(values)
      return text.utf8.count <= bytes ? text : nil
    }

    /// False if the text surely has at most so many characters: bytes of what it may consist of are counted in their place.
    func mayExceed(_ characters: Int, _ data: [String: String]) -> Bool {
      guard template != nil else { return false }
      var size = 0
      for piece in pieces {
        switch piece {
        case .words(let words): size += words.utf8.count
        case .variable("."): size += data.values.lazy.map(\.utf8.count).max() ?? 0
        case .variable(let name): size += data[name]?.utf8.count ?? 0
        case .filtered(let index):
          // Digits with their groups, or a day. Only exponents make more of a number.
          let value = data[filtered[index].name] ?? ""
          size += value.utf8.count > 16 || value.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") } ? 600 : 48
        case .section, .end: break
        }
      }
      return size > characters
    }

    private func fill(_ data: [String: String], _ formatted: [String?], within bytes: Int) -> String? {
      var text = ""
      for piece in pieces {
        switch piece {
        case .words(let words): text += words
        case .variable(let name): text += data[name] ?? ""
        case .filtered(let index): text += formatted[index] ?? ""
        case .section, .end: break
        }
        guard text.utf8.count <= bytes else { return nil }
      }
      return text
    }

    /// Whether what is shown of it has at most so many bytes.
    private func measures(_ data: [String: String], _ formatted: [String?], within bytes: Int) -> Bool {
      var size = 0
      var open: [(name: String, isShown: Bool)] = []
      for piece in pieces {
        let isShown = open.last?.isShown ?? true
        switch piece {
        case .section(let tag):
          open.append((tag.name, isShown && tag.isShown(by: data)))
          continue
        case .end:
          _ = open.popLast()
          continue
        case .words(let words) where isShown: size += words.utf8.count
        // The value of the section around it.
        case .variable(".") where isShown: size += open.last.flatMap { data[$0.name] }?.utf8.count ?? 0
        case .variable(let name) where isShown: size += data[name]?.utf8.count ?? 0
        case .filtered(let index) where isShown: size += formatted[index]?.utf8.count ?? 0
        case .words, .variable, .filtered: continue
        }
        guard size <= bytes else { return false }
      }
      return true
    }

    private static let americanEnglish = TextFormats(locale: "en-US", currency: "USD")

    // MARK: Reading

    static var tag: Regex<(Substring, Substring)> { /\{\{(\{[^{}]*\}|[^{}]*)\}\}/ }

    private typealias Place = (range: Range<String.Index>, tag: TemplateTag)

    /// The tags, and where they stand.
    private static func places(of text: String) throws(CatalogueError) -> [Place] {
      var places: [Place] = []
      for match in text.matches(of: tag) { places.append((match.range, try TemplateTag(match.1))) }
      return places
    }

    /// - Parameter filtered: Gets the variables with filters.
    private static func pieces(of text: String, _ places: [Place], _ filtered: inout [TemplateTag]) -> [Piece] {
      var pieces: [Piece] = []
      var indices: [String: Int] = [:]
      var rest = text.startIndex
      for (range, tag) in places {
        if rest < range.lowerBound { pieces.append(.words(String(text[rest..<range.lowerBound]))) }
        rest = range.upperBound
        switch tag.kind {
        case .comment: break
        case .section, .inverted: pieces.append(.section(tag))
        case .end: pieces.append(.end)
        case .variable:
          guard let key = tag.key else {
            pieces.append(.variable(tag.name))
            continue
          }
          let index = indices[key] ?? filtered.count
          if index == filtered.count {
            indices[key] = index
            filtered.append(tag)
          }
          pieces.append(.filtered(index))
        }
      }
      if rest < text.endIndex { pieces.append(.words(String(text[rest...]))) }
      return pieces
    }

    /// False for a text with anything but words and variables, with braces that Mustache might see as tags, or with a line
    /// break in front, which Mustache leaves out.
    private static func isPlain(_ text: String, _ places: [Place]) -> Bool {
      guard text.first?.isNewline != true, places.allSatisfy({ $0.tag.kind == .variable && $0.tag.name != "." }) else {
        return false
      }
      return !words(of: text, places).contains { $0.contains { $0 == "{" || $0 == "}" } }
    }

    /// What stands between the tags, before the first and after the last.
    private static func words(of text: String, _ places: [Place]) -> [Substring] {
      let starts = [text.startIndex] + places.map(\.range.upperBound)
      let ends = places.map(\.range.lowerBound) + [text.endIndex]
      return zip(starts, ends).map { text[$0..<$1] }
    }

    /// What somebody forgot who meant a tag, in words that can follow the text's name; nil if there is nothing of the kind. People
    /// would read the braces.
    static func strayBraces(in text: String) -> String? {
      let words = text.split(separator: tag, omittingEmptySubsequences: false)
      if words.contains(where: { $0.contains("{{") }) { return "has '{{' without '}}'" }
      return words.contains { $0.contains("}}") } ? "has '}}' without '{{'" : nil
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
