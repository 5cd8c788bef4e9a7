import BelfryJSON
import YAMLBounds
import Yams

/// YAML as a tree of JSON, by the core schema of YAML 1.2: `19:00`, `on` and `no` are texts, not numbers and booleans.
enum CatalogueYAML {
  /// - Throws: ``CatalogueError`` with the line.
  static func json(_ yaml: String) throws(CatalogueError) -> JSONValue {
    try document(yaml).json
  }

  /// The tree, and where each part of it stands. Of a member that stands twice the last counts.
  ///
  /// - Throws: ``CatalogueError`` with the line.
  static func document(_ yaml: String) throws(CatalogueError) -> CatalogueDocument {
    do throws(YAMLBounds.Excess) {
      try YAMLBounds.check(yaml)
    } catch {
      throw CatalogueError(
        problems: [CatalogueProblem(path: "", message: error.message, line: error.line, column: error.column)]
      )
    }
    let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var tree = CatalogueTree()
    var text = yaml
    while true {
      do {
        let root = try compose(yaml: text)
        let json = try root.map { node throws(CatalogueError) in try tree.read(node, at: "") } ?? .null
        return CatalogueDocument(lines: lines, json: json, places: tree.places, doubles: tree.doubles)
      } catch let error as CatalogueError {
        throw error
      } catch let error as YamlError {
        guard case .duplicatedKeysInMapping(let names, let context) = error, let name = names.first,
          let other = tree.replace(name, at: context.mark, in: text)
        else { throw error.problem(in: lines) }
        text = other
      } catch {
        throw CatalogueError("\(error)")
      }
    }
  }
}

/// Reads the nodes of a file.
private struct CatalogueTree {
  /// From U+E000 on, in Unicode's private use area.
  private static let substitutes = 0xE000..<0xE040
  /// The text is read anew for each name that stands twice: of a large one a few times at most.
  private static let maximumRereadBytes = 4 * 1_024 * 1_024

  var places: [String: CatalogueDocument.Place] = [:]
  var doubles: [String] = []
  /// Names that stand twice, by what they are called instead.
  private var replaced: [String: String] = [:]

  /// The text with another name in the place of the first of two that are the same: Yams reads no further there.
  ///
  /// - Returns: Nil where that is no more of use.
  mutating func replace(_ name: String, at mark: Yams.Mark, in text: String) -> String? {
    guard replaced.count < Self.substitutes.count,
      (replaced.count + 1) * text.utf8.count <= Self.maximumRereadBytes,
      let sign = Unicode.Scalar(Self.substitutes.lowerBound + replaced.count)
    else { return nil }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    guard lines.indices.contains(mark.line - 1) else { return nil }
    var scalars = Array(lines[mark.line - 1].unicodeScalars)
    guard scalars.indices.contains(mark.column - 1) else { return nil }
    let isQuoted = ["\"", "'"].contains(scalars[mark.column - 1])
    let place = mark.column - (isQuoted ? 0 : 1)
    guard scalars.indices.contains(place), scalars[place] == name.unicodeScalars.first else { return nil }
    scalars[place] = sign
    lines[mark.line - 1] = String(String.UnicodeScalarView(scalars))
    replaced[String(Character(sign)) + String(String.UnicodeScalarView(name.unicodeScalars.dropFirst()))] = name
    return lines.joined(separator: "\n")
  }

  mutating func read(_ node: Node, at path: String) throws(CatalogueError) -> JSONValue {
    if path.isEmpty { note(node, at: path, start: node.mark) }
    switch node {
    case .scalar(let scalar): return Self.json(scalar)
    case .sequence(let nodes):
      var elements: [JSONValue] = []
      for (index, node) in nodes.enumerated() {
        note(node, at: "\(path)[\(index)]", start: node.mark)
        elements.append(try read(node, at: "\(path)[\(index)]"))
      }
      return .array(elements)
    case .mapping(let mapping):
      var members: [JSONMember] = []
      for (key, value) in mapping {
        guard let text = key.scalar?.string else { throw CatalogueError("a key is no text") }
        if let name = replaced[text] {
          doubles.append(path.isEmpty ? name : "\(path).\(name)")
          continue
        }
        let place = path.isEmpty ? text : "\(path).\(text)"
        note(value, at: place, start: key.mark)
        members.append(JSONMember(text, try read(value, at: place)))
      }
      return .object(members)
    case .alias: throw CatalogueError("aliases (*name) are not supported")
    }
  }

  private mutating func note(_ node: Node, at path: String, start: Yams.Mark?) {
    guard let start, let value = node.mark else { return }
    let isPlain = node.scalar.map { $0.style == .any || $0.style == .plain } ?? false
    places[path] = CatalogueDocument.Place(start: .init(start), value: .init(value), isPlain: isPlain)
  }

  private static func json(_ scalar: Node.Scalar) -> JSONValue {
    guard scalar.style == .any || scalar.style == .plain else { return .string(scalar.string) }
    switch scalar.string {
    case "", "~", "null": return .null
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default:
      let isNumber = scalar.string.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
      return isNumber ? .number(scalar.string) : .string(scalar.string)
    }
  }
}

extension CatalogueDocument.Mark {
  fileprivate init(_ mark: Yams.Mark) {
    self.init(line: mark.line, column: mark.column)
  }
}

extension YamlError {
  /// What libyaml says, and where.
  fileprivate func problem(in lines: [Substring]) -> CatalogueError {
    switch self {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let begun = context.map { "\($0.text) that begins in line \($0.mark.line), " } ?? ""
      return Self.error(begun + problem, line: mark.line, column: mark.column)
    case .reader(let problem, let offset, _, _):
      guard var rest = offset else { return CatalogueError(problem) }
      for (index, line) in lines.enumerated() {
        guard rest > line.count else { return Self.error(problem, line: index + 1, column: rest + 1) }
        rest -= line.count + 1
      }
      return CatalogueError(problem)
    case .duplicatedKeysInMapping(let names, let context):
      let list = names.sorted().map { "'\($0.excerpt)'" }.joined(separator: ", ")
      return Self.error("stands twice: \(list)", line: context.mark.line, column: context.mark.column)
    case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded: return CatalogueError("\(self)")
    }
  }

  private static func error(_ message: String, line: Int, column: Int) -> CatalogueError {
    CatalogueError(problems: [CatalogueProblem(path: "", message: message, line: line, column: column)])
  }
}
