import JSON
import Yams

/// YAML as a tree of JSON, by the core schema of YAML 1.2: `19:00`, `on` and `no` are texts, not numbers and booleans.
enum CatalogueYAML {
  /// - Throws: ``CatalogueError`` telling the line.
  static func json(_ yaml: String) throws(CatalogueError) -> JSONValue {
    let root: Node?
    do {
      root = try compose(yaml: yaml)
    } catch {
      throw CatalogueError("\(error)")
    }
    return try root.map { node throws(CatalogueError) in try json(node) } ?? .null
  }

  private static func json(_ node: Node) throws(CatalogueError) -> JSONValue {
    switch node {
    case .scalar(let scalar): return json(scalar)
    case .sequence(let nodes): return .array(try nodes.map { node throws(CatalogueError) in try json(node) })
    case .mapping(let mapping):
      var members: [JSONMember] = []
      for (key, value) in mapping {
        guard let name = key.scalar?.string else { throw CatalogueError("a key is no text") }
        members.append(JSONMember(name, try json(value)))
      }
      return .object(members)
    case .alias: throw CatalogueError("aliases (*name) are not supported")
    }
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
