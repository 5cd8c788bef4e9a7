/// HTML in Mustache with filters, as ``NotificationTemplate/Part`` is plain text. Each value is escaped by where it stands: in text, in an
/// attribute, as a part of a link, or as a whole link, which must be `https`. Where no value is safe, none is taken.
struct HTMLTemplate: Sendable {
  /// Variables that the layout fills in itself, besides the data's.
  struct Trusted: Sendable {
    /// HTML that stands between tags, as it is.
    var markup: Set<String> = []
    /// Checked words such as colours, which may stand in styles, and in comments, which Outlook reads.
    var words: Set<String> = []
  }

  private enum Piece: Sendable {
    case words(String)
    case variable(TemplateTag, Form)
    case section(TemplateTag)
    case end
  }

  /// How a value is written.
  private enum Form: Sendable {
    case escaped, wholeLink, linkPart
    case asItIs
  }

  /// As the catalogue has it.
  let source: String
  /// The variables that stand as a whole link.
  let wholeLinks: Set<String>
  /// Those of them that stand outside a section of their own: without a value there is no HTML at all.
  let bareLinks: Set<String>
  private let pieces: [Piece]
  /// Knows what the text needs; sections are closed in it.
  private let part: NotificationTemplate.Part

  /// - Parameter isContent: Whether it stands in a layout, of which it must not end or hide anything.
  /// - Throws: ``CatalogueError`` that says what is wrong with it.
  init(_ source: String, trusted: Trusted = Trusted(), isContent: Bool = false) throws(CatalogueError) {
    let part = try NotificationTemplate.Part(source)
    var scanner = HTMLScanner()
    if isContent { scanner.elements = HTMLElements() }
    var pieces: [Piece] = []
    var open: [(tag: TemplateTag, mark: String, floor: Int?)] = []
    var (wholeLinks, bareLinks): (Set<String>, Set<String>) = ([], [])
    var rest = source.startIndex
    for match in source.matches(of: NotificationTemplate.Part.tag) {
      let words = source[rest..<match.range.lowerBound]
      try scanner.read(words)
      if !words.isEmpty { pieces.append(.words(String(words))) }
      rest = match.range.upperBound
      let tag = try TemplateTag(match.1)
      switch tag.kind {
      case .comment: break
      case .section, .inverted:
        guard let mark = scanner.mark else {
          throw CatalogueError("\(match.0): a section stands between tags, or in an attribute that is no style")
        }
        open.append((tag, mark, scanner.elements?.beginSection()))
        pieces.append(.section(tag))
      case .end:
        guard let section = open.popLast(), section.mark == scanner.mark else {
          throw CatalogueError("\(match.0): a section ends in another place of the HTML than it begins in")
        }
        if let floor = section.floor { try scanner.elements?.endSection(floor) }
        pieces.append(.end)
      case .variable:
        let form = try Self.form(of: tag, at: scanner.place, trusted)
        pieces.append(.variable(tag, form))
        if form == .wholeLink {
          let name = tag.name == "." ? open.last?.tag.name ?? "" : tag.name
          wholeLinks.insert(name)
          let isGuarded = open.contains { $0.tag.kind == .section && $0.tag.name == name && $0.tag.value == nil }
          if !isGuarded { bareLinks.insert(name) }
        }
        scanner.passValue()
      }
    }
    try scanner.read(source[rest...])
    try scanner.end()
    try scanner.elements?.finish()
    if rest < source.endIndex { pieces.append(.words(String(source[rest...]))) }
    self.source = source
    self.part = part
    (self.wholeLinks, self.bareLinks) = (wholeLinks, bareLinks)
    self.pieces = pieces
  }

  private static func form(of tag: TemplateTag, at place: HTMLPlace, _ trusted: Trusted) throws(CatalogueError) -> Form
  {
    if trusted.markup.contains(tag.name) {
      guard place == .text else { throw CatalogueError("{{\(tag.name)}} stands for HTML: only between tags") }
      return .asItIs
    }
    switch place {
    case .text, .title, .attribute: return .escaped
    case .linkStart: return .wholeLink
    case .linkRest: return .linkPart
    case .forbidden where trusted.words.contains(tag.name) && (place == .style || place == .comment): return .asItIs
    case .forbidden(let place):
      throw CatalogueError("{{\(tag.name)}} stands in \(place), where no value is safe")
    }
  }

  /// All variables that it looks at.
  var variables: Set<String> { part.variables }
  /// The filters that it puts values through.
  var filters: Set<TextFilter.Name> { part.filters }

  /// The variables that some data cannot do without.
  var needed: Set<String> { part.needed }

  /// The variables that `data` lacks.
  func missing(in data: [String: String]) -> Set<String> { part.missing(in: data) }

  /// The HTML with its values; nil if it would be larger than that, or if what must be a link is none.
  ///
  /// - Parameter formats: What filters write by.
  func render(
    _ data: [String: String],
    _ formats: TextFormats,
    within bytes: Int = NotificationTemplate.maximumFilled
  ) -> String? {
    var html = ""
    html.reserveCapacity(source.utf8.count + 1_024)
    var open: [(tag: TemplateTag, isShown: Bool)] = []
    for piece in pieces {
      let isShown = open.last?.isShown ?? true
      switch piece {
      case .section(let tag): open.append((tag, isShown && tag.isShown(by: data)))
      case .end: _ = open.popLast()
      case .words(let words): if isShown { html += words }
      case .variable(let tag, let form):
        guard isShown else { continue }
        let name = tag.name == "." ? open.last?.tag.name ?? "" : tag.name
        let value = data[name].map { tag.filter?.text($0, data: data, formats) ?? $0 } ?? ""
        guard let text = Self.write(value, form) else { return nil }
        html += text
      }
      guard html.utf8.count <= bytes else { return nil }
    }
    return html
  }

  private static func write(_ value: String, _ form: Form) -> String? {
    switch form {
    case .escaped: value.htmlEscaped
    case .linkPart: value.linkPart
    case .wholeLink: value.isHTTPSLink ? value.htmlEscaped : nil
    case .asItIs: value
    }
  }
}
