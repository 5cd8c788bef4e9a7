import BelfryJSON

/// A catalogue file as a tree, and where each part of it stands.
struct CatalogueDocument: Sendable {
  /// A line and a column, from 1.
  struct Mark: Sendable, Hashable {
    let line: Int
    let column: Int
  }

  /// Of a member of a mapping, or of an element of a list.
  struct Place: Sendable {
    /// Its name, or the element.
    let start: Mark
    let value: Mark
    /// Whether the value is a text or a number without quotes.
    let isPlain: Bool
  }

  let json: JSONValue
  /// By their paths, as ``FieldReader`` writes them: `types[3].title.de`.
  let places: [String: Place]
  /// Paths of members that stand twice in their mapping; of such the last counts.
  let doubles: [String]
  private let lines: [Substring]
  /// Where the entries of each list are, by their names in lower case.
  private let index: [String: [String: Int]]

  init(lines: [Substring], json: JSONValue, places: [String: Place], doubles: [String]) {
    self.lines = lines
    self.json = json
    self.places = places
    self.doubles = doubles
    var index: [String: [String: Int]] = [:]
    for list in json.members ?? [] {
      for (place, entry) in (list.value.array ?? []).enumerated() {
        guard let name = entry["name"]?.string?.lowercased(), index[list.name]?[name] == nil else { continue }
        index[list.name, default: [:]][name] = place
      }
    }
    self.index = index
  }

  /// - Parameters:
  ///   - field: A path; what it has beyond the tree's is left away to find its place.
  ///   - fragment: What of the field's value it is about, as it stands there: a tag.
  func problem(_ field: String, _ message: String, at fragment: String? = nil) -> CatalogueProblem {
    let found = place(of: field)
    let inside = fragment.flatMap { text in found.flatMap { self.mark(of: text, from: $0.value) } }
    let start = inside ?? found?.start
    return CatalogueProblem(path: label(field), message: message, line: start?.line, column: start?.column)
  }

  /// The place of the field, or of the nearest thing around it that is there.
  private func place(of field: String) -> Place? {
    var path = Substring(field)
    while true {
      if let place = places[String(path)] { return place }
      guard let cut = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return places[""] }
      path = path[..<cut]
    }
  }

  /// Where a text stands first from some place on, within as many lines as texts have.
  private func mark(of fragment: String, from start: Mark) -> Mark? {
    for line in start.line..<start.line + 100 where lines.indices.contains(line - 1) {
      let skipped = line == start.line ? start.column - 1 : 0
      let rest = String(String.UnicodeScalarView(lines[line - 1].unicodeScalars.dropFirst(skipped)))
      guard let range = rest.firstRange(of: fragment) else { continue }
      let before = rest.unicodeScalars.distance(from: rest.startIndex, to: range.lowerBound)
      return Mark(line: line, column: skipped + before + 1)
    }
    return nil
  }

  /// `types[3].digest.every` as `types[3] (DinnerIsReady).digest.every`: nobody counts entries.
  private func label(_ field: String) -> String {
    guard !field.isEmpty else { return "the file" }
    guard let match = field.prefixMatch(of: /([a-zA-Z]+)\[([0-9]+)\]/), let index = Int(match.2),
      let entries = json[String(match.1)]?.array, entries.indices.contains(index)
    else { return field }
    let label = entries[index]["name"]?.string ?? entries[index]["code"]?.integer.map { "code \($0)" }
    return label.map { "\(match.0) (\($0.excerpt))\(field[match.range.upperBound...])" } ?? field
  }
}

extension CatalogueDocument {
  /// The elements of one of the file's lists, each with its path.
  func entries(_ list: String) -> [(path: String, json: JSONValue)] {
    (json[list]?.array ?? []).enumerated().map { ("\(list)[\($0)]", $1) }
  }

  func has(_ list: String, named name: String) -> Bool { index[list]?[name.lowercased()] != nil }

  /// The path of the first entry of that name, without regard to case; that of the list where there is none.
  func path(_ list: String, named name: String) -> String {
    index[list]?[name.lowercased()].map { "\(list)[\($0)]" } ?? list
  }

  /// The first entry of that name, without regard to case.
  func entry(_ list: String, named name: String) -> JSONValue? {
    index[list]?[name.lowercased()].flatMap { json[list]?.array?[$0] }
  }
}
