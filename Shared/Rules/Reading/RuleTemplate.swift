import BelfryJSON

/// A text with places for values of an event: `{{childId}}`, `{{category}}:{{period}}`, `{{newBalance|money}}`.
///
/// `{{name?}}` may be absent: a template that is just one of those then has no value at all. Filters follow with `|`; an
/// argument follows its filter's colon, `money:EUR`, and may itself be a value: `money:@currency`.
public struct RuleTemplate: Hashable, Sendable {
  let parts: [Part]

  enum Part: Hashable, Sendable {
    case text(String)
    case place(Place)
  }

  struct Place: Hashable, Sendable {
    let path: PayloadPath
    let isOptional: Bool
    let filters: [Filter]

    init(path: PayloadPath, isOptional: Bool, filters: [Filter]) {
      self.path = path
      self.isOptional = isOptional
      self.filters = filters
    }
  }

  struct Filter: Hashable, Sendable {
    let name: String
    let argument: Argument?
  }

  enum Argument: Hashable, Sendable {
    case text(String)
    case value(PayloadPath)
  }

  static let maximumLength = 1_024
  /// Bytes of what it says once it is filled in: a whole payload and the template.
  static let maximumFilled = 32 * 1_024

  /// - Throws: ``TemplateProblem`` in words that follow "the template".
  init(_ text: String) throws(TemplateProblem) {
    guard text.utf8.count <= Self.maximumLength else {
      throw TemplateProblem("has more than \(Self.maximumLength) bytes")
    }
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstRange(of: "{{") {
      guard !rest[..<open.lowerBound].contains("}}") else { throw TemplateProblem("has '}}' without '{{'") }
      if open.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<open.lowerBound]))) }
      rest = rest[open.upperBound...]
      guard let close = rest.firstRange(of: "}}") else { throw TemplateProblem("has '{{' without '}}'") }
      parts.append(.place(try Place(rest[..<close.lowerBound])))
      rest = rest[close.upperBound...]
    }
    guard !rest.contains("}}") else { throw TemplateProblem("has '}}' without '{{'") }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// A template of one value.
  init(path: PayloadPath) {
    parts = [.place(Place(path: path, isOptional: false, filters: []))]
  }

  /// The template's only place, where it is nothing else and formats nothing.
  var bare: Place? {
    guard parts.count == 1, case .place(let place) = parts[0], place.filters.isEmpty else { return nil }
    return place
  }

  var places: [Place] {
    parts.compactMap { if case .place(let place) = $0 { place } else { nil } }
  }

  /// Every path that is read, those of arguments included.
  var paths: [PayloadPath] {
    places.flatMap { place in
      [place.path] + place.filters.compactMap { if case .value(let path)? = $0.argument { path } else { nil } }
    }
  }
}

extension RuleTemplate.Place {
  fileprivate init(_ text: Substring) throws(TemplateProblem) {
    let pieces = text.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmed }
    let isOptional = pieces[0].hasSuffix("?")
    guard let path = PayloadPath(String(isOptional ? pieces[0].dropLast() : pieces[0][...])) else {
      throw TemplateProblem("has '{{\(String(text).excerpt)}}', which names no member of the payload")
    }
    let filters = try pieces.dropFirst().map { piece throws(TemplateProblem) in try RuleTemplate.Filter(piece) }
    self.init(path: path, isOptional: isOptional, filters: filters)
  }
}

extension RuleTemplate.Filter {
  fileprivate init(_ text: String) throws(TemplateProblem) {
    let pieces = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { $0[...].trimmed }
    guard let first = pieces.first, !first.isEmpty, first.allSatisfy({ $0.isASCII && $0.isLetter }) else {
      throw TemplateProblem("has a filter '\(text.excerpt)', which is no name")
    }
    name = first
    guard pieces.count > 1 else {
      argument = nil
      return
    }
    guard pieces[1].hasPrefix("@") else {
      argument = .text(pieces[1])
      return
    }
    guard let path = PayloadPath(String(pieces[1].dropFirst())) else {
      throw TemplateProblem("has '\(text.excerpt)', which names no member of the payload")
    }
    argument = .value(path)
  }
}

/// What is wrong with a template, in words that follow its name: `has '{{' without '}}'`.
struct TemplateProblem: Error, Equatable {
  let words: String

  init(_ words: String) {
    self.words = words
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
