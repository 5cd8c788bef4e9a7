/// Where in an HTML document a value stands, which decides how it is escaped.
enum HTMLPlace: Equatable {
  /// Between tags.
  case text
  /// In the document's title, where a browser reads no tags and no comments.
  case title
  /// In an attribute in double quotes that is no link.
  case attribute
  /// The value begins a link: it must be a whole one.
  case linkStart
  /// In a link, behind its host.
  case linkRest
  /// Where no value can stand safely, in words: `a comment`.
  case forbidden(String)

  static let comment = HTMLPlace.forbidden("a comment")
  static let style = HTMLPlace.forbidden("a style")
}

/// Follows the author's part of an HTML template and says where values stand. It takes what mails need, and refuses what would run, load
/// or send something: scripts, frames, forms, event handlers, links other than `https`.
///
/// It reads a small part of HTML strictly where a browser reads all of it generously: what it does not understand is refused.
struct HTMLScanner {
  private enum State: Equatable {
    case text
    case tagOpen
    case tagName
    case inTag
    case attributeName
    case afterName
    case beforeValue
    case value
    case unquoted
    case declaration
    case comment
    case style
    case title
    /// In the end tag of the title.
    case titleEnd
  }

  /// Looks after the elements of what stands in a layout; nil of the layout itself.
  var elements: HTMLElements?
  private var state = State.text
  /// Of the tag that is open, in lower case; with `/` if it is an end tag.
  private var tag = ""
  private var attribute = ""
  private var quote: Unicode.Scalar = "\""
  /// The attribute's value so far, with `x` for each value; the last characters of a comment or style sheet.
  private var literal = ""

  private static let forbiddenTags: Set = [
    "script", "noscript", "iframe", "frame", "frameset", "object", "embed", "applet", "form", "input", "button",
    "textarea", "select", "base", "link", "svg", "math", "video", "audio", "template", "plaintext", "xmp", "noframes",
    "noembed", "portal",
  ]
  private static let links: Set = ["href", "src", "background", "cite", "longdesc", "poster", "data", "action"]
  private static let forbiddenAttributes: Set = ["srcdoc", "srcset", "formaction", "ping", "http-equiv", "is"]

  /// What loads or runs something in a style, besides `url(…)`, or hides that.
  private static let loading = [
    "\\", "@import", "expression(", "behavior", "image-set", "cross-fade", "src(", "image(",
  ]

  /// What a section must begin and end in: the same piece of the document. Nil where none can: a browser reads a tag's name, a style or a
  /// link's host as it is without the section, and only what is there with it was looked at.
  var mark: String? {
    switch place {
    case .text: "text"
    case .title: "title"
    case .attribute, .linkStart, .linkRest: "\(tag) \(attribute) \(place)"
    case .forbidden: nil
    }
  }

  /// Where a value would stand now.
  var place: HTMLPlace {
    switch state {
    case .text: return .text
    case .title: return .title
    case .value where quote != "\"": return .forbidden("an attribute without double quotes")
    case .value where attribute == "style": return .style
    case .value where Self.links.contains(attribute):
      if literal.isEmpty { return .linkStart }
      guard let host = String.host(ofLink: literal), !host.isEmpty, literal.utf8.count > 8 + host.utf8.count else {
        return .forbidden("the host of a link")
      }
      return .linkRest
    case .value: return .attribute
    case .comment, .declaration: return .comment
    case .style: return .style
    case .beforeValue, .unquoted: return .forbidden("an attribute without double quotes")
    case .tagOpen, .tagName, .inTag, .attributeName, .afterName, .titleEnd: return .forbidden("a tag")
    }
  }

  /// A value stands here.
  mutating func passValue() {
    // It is seen as a letter, also by what looks for an end.
    if state == .style || state == .comment || state == .declaration { literal += "x" }
    guard state == .value else { return }
    if place == .linkStart {
      // Whole, which is looked at when it is filled in. It may end with its host: what follows needs a `/`, `?` or `#` before it.
      literal = "https://x"
    } else {
      literal += "x"
    }
  }

  /// - Throws: ``CatalogueError`` that says what a mail cannot have.
  mutating func read(_ text: Substring) throws(CatalogueError) {
    for scalar in text.unicodeScalars { try read(scalar) }
  }

  /// - Throws: ``CatalogueError`` if the document ends within a tag.
  func end() throws(CatalogueError) {
    if state == .tagOpen { throw CatalogueError("ends with '<'; write &lt; for the character") }
    guard state == .text else { throw CatalogueError("ends within a tag, a comment, a style or a title") }
  }

  private mutating func read(_ scalar: Unicode.Scalar) throws(CatalogueError) {
    let isSpace = scalar.properties.isWhitespace
    switch state {
    case .text:
      if scalar == "<" { (state, tag) = (.tagOpen, "") }
    case .tagOpen:
      if scalar == "!" {
        (state, literal) = (.declaration, "")
      } else if scalar == "/" && tag.isEmpty {
        tag = "/"
      } else if scalar.isASCIILetter {
        tag.unicodeScalars.append(scalar)
        state = .tagName
      } else {
        throw CatalogueError("has '<' by itself; write &lt; for the character")
      }
    case .tagName:
      if isSpace || scalar == "/" || scalar == ">" {
        try beginTag()
        try readInTag(scalar, isSpace)
      } else if scalar.isASCIILetter || scalar.isASCIIDigit || scalar == ":" || scalar == "-" {
        tag.unicodeScalars.append(scalar)
      } else {
        throw CatalogueError("has a tag <\(tag)\(scalar) that is none of HTML")
      }
    case .inTag: try readInTag(scalar, isSpace)
    case .attributeName, .afterName: try readName(scalar, isSpace)
    case .beforeValue:
      if isSpace { return }
      guard scalar != ">" else { throw CatalogueError("has an attribute \(attribute) without its value") }
      literal = ""
      if scalar == "\"" || scalar == "'" { (state, quote) = (.value, scalar) } else { try begin(unquoted: scalar) }
    case .value:
      guard scalar == quote else { return literal.unicodeScalars.append(scalar) }
      try endValue()
      state = .inTag
    case .unquoted:
      guard isSpace || scalar == ">" else { return literal.unicodeScalars.append(scalar) }
      try endValue()
      state = .inTag
      try readInTag(scalar, isSpace)
    case .title:
      if scalar == "<" { (state, literal) = (.titleEnd, "<") }
    case .titleEnd: try readTitleEnd(scalar)
    case .declaration, .comment, .style: try readAside(scalar)
    }
  }

  private mutating func begin(unquoted scalar: Unicode.Scalar) throws(CatalogueError) {
    guard !Self.links.contains(attribute), attribute != "style" else {
      throw CatalogueError("has \(attribute)= without double quotes")
    }
    (state, literal) = (.unquoted, String(scalar))
  }

  private mutating func readInTag(_ scalar: Unicode.Scalar, _ isSpace: Bool) throws(CatalogueError) {
    state = .inTag
    attribute = ""
    if scalar == ">" {
      // The end tags of these two are read as their text is.
      if tag != "style", tag != "title" { try elements?.read(tag) }
      (state, literal) = (tag == "style" ? .style : tag == "title" ? .title : .text, "")
    } else if !isSpace, scalar != "/" {
      guard scalar.isASCIILetter else { throw CatalogueError("has '\(scalar)' in a tag <\(tag)>") }
      (state, attribute) = (.attributeName, String(scalar).lowercased())
    }
  }

  private mutating func readName(_ scalar: Unicode.Scalar, _ isSpace: Bool) throws(CatalogueError) {
    if scalar == "=" {
      try check(name: attribute)
      state = .beforeValue
    } else if scalar == ">" || scalar == "/" {
      try check(name: attribute)
      try readInTag(scalar, isSpace)
    } else if isSpace {
      state = .afterName
    } else if state == .afterName {
      try check(name: attribute)
      try readInTag(scalar, isSpace)
    } else if scalar.isASCIILetter || scalar.isASCIIDigit || scalar == "-" || scalar == ":" || scalar == "_" {
      attribute += String(scalar).lowercased()
    } else {
      throw CatalogueError("has '\(scalar)' in a tag <\(tag)>")
    }
  }

  /// What a browser does not show: comments, which Outlook reads, the document type, and style sheets.
  private mutating func readAside(_ scalar: Unicode.Scalar) throws(CatalogueError) {
    literal.unicodeScalars.append(scalar)
    switch state {
    case .declaration:
      if literal == "--" { (state, literal) = (.comment, "") } else if scalar == ">" { state = .text }
    case .comment:
      guard scalar == ">" else { return }
      // As browsers end them.
      if ends(with: "-->") || ends(with: "--!>") || literal == ">" || literal == "->" {
        (state, literal) = (.text, "")
      }
    default:
      guard String(literal.unicodeScalars.suffix(8).dropLast()).lowercased() == "</style" else { return }
      // A browser ends a style at `</style ` and `</style/` as well, and reads on until a `>`.
      guard scalar == ">" else { throw CatalogueError("has '</style' without '>' behind it") }
      try check(style: String(literal.unicodeScalars.dropLast(8)))
      (state, literal, tag) = (.text, "", "")
    }
  }

  /// As browsers compare: what a character joins with before it makes no other of it.
  private func ends(with text: String) -> Bool {
    literal.unicodeScalars.suffix(text.unicodeScalars.count).elementsEqual(text.unicodeScalars)
  }

  /// A browser takes all in a title for text until `</title` and a blank, `/` or `>`.
  private mutating func readTitleEnd(_ scalar: Unicode.Scalar) throws(CatalogueError) {
    literal.unicodeScalars.append(scalar)
    guard "</title>".hasPrefix(literal.lowercased()) else {
      throw CatalogueError("has '<' in the title; write &lt; for the character, and </title> at its end")
    }
    if scalar == ">" { (state, literal, tag) = (.text, "", "") }
  }

  private mutating func beginTag() throws(CatalogueError) {
    tag = tag.lowercased()
    let name = tag.hasPrefix("/") ? String(tag.dropFirst()) : tag
    if Self.forbiddenTags.contains(name) { throw CatalogueError("has <\(name)>, which mail programs refuse") }
  }

  private func check(name: String) throws(CatalogueError) {
    if name.hasPrefix("on") || Self.forbiddenAttributes.contains(name)
      || name.contains(":") && name != "xmlns:v"
        && name != "xmlns:o"
    {
      throw CatalogueError("has an attribute \(name), which mail programs refuse")
    }
  }

  private func endValue() throws(CatalogueError) {
    if attribute == "style" {
      try check(style: try Self.decoded(style: literal))
    }
    if Self.links.contains(attribute), !literal.isHTTPSLink {
      throw CatalogueError("has \(attribute)=\"\(literal.excerpt)\", which is no https link")
    }
  }

  /// A browser decodes references in attributes, so that `url&#40;` is `url(`: those of quotes and of `&`, which tools write, are read, and
  /// others refused. An `&` before a name and `=`, as in a link's query, begins none.
  private static func decoded(style: String) throws(CatalogueError) -> String {
    let style = style.replacing(/&[a-z0-9]+=/.ignoresCase(), with: "x=")
      .replacing(/&(quot|#34|#x22);/.ignoresCase(), with: "\"")
      .replacing(/&(apos|#39|#x27);/.ignoresCase(), with: "'")
      .replacing(/&(amp|#38|#x26);/.ignoresCase(), with: "x")
    guard !style.contains("&") else { throw CatalogueError("has a style with a character reference") }
    return style
  }

  /// - Throws: ``CatalogueError`` if the style loads something that is no `https` link.
  private func check(style: String) throws(CatalogueError) {
    let style = style.lowercased()
    if Self.loading.contains(where: { style.contains($0) })
      || style.matches(of: /url\(\s*["']?(.{0,8})/).contains(where: { $0.1 != "https://" })
    {
      throw CatalogueError("has a style that loads something else than an https link")
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isASCIILetter: Bool { isASCII && properties.isAlphabetic }
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
