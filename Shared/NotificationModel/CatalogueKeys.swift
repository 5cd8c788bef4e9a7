import Yams

/// Finds what a catalogue file says and nobody would read: a typo must not silently change who is told.
enum CatalogueKeys {
  private static let file: Set = ["version", "defaults", "types", "events"]
  private static let texts: Set = ["channels", "priority", "timeToLiveDays", "title", "body"]
  private static let entry: Set = texts.union(["code", "name", "category"])
  private static let event: Set = ["name", "arguments"]
  private static let channels: Set = Set(Channel.allCases.map(\.name))

  /// What is wrong with the first unknown key, e.g. `'types[3].titel' is not a known key`; nil if there is none.
  static func problem(in yaml: String) throws -> String? {
    guard let root = try compose(yaml: yaml) else { return nil }
    if let found = unknown(in: root, file, at: "") { return found }
    if let defaults = root["defaults"] {
      if let found = unknown(in: defaults, texts, at: "defaults.") ?? channel(in: defaults, "defaults") { return found }
    }
    for (index, type) in (root["types"]?.sequence ?? []).enumerated() {
      let name = "type \(type["code"]?.string ?? "?") (\(type["name"]?.string ?? "?"))"
      if let found = unknown(in: type, entry, at: "types[\(index)].") ?? channel(in: type, name) { return found }
    }
    for (index, node) in (root["events"]?.sequence ?? []).enumerated() {
      if let found = unknown(in: node, event, at: "events[\(index)].") { return found }
    }
    return nil
  }

  private static func unknown(in node: Node, _ known: Set<String>, at path: String) -> String? {
    first(in: node, notIn: known).map { "'\(path)\($0)' is not a known key" }
  }

  /// A channel of another version is refused as well: nobody would be told by it, and here it is as good as a typo.
  private static func channel(in node: Node, _ owner: String) -> String? {
    guard let name = node["channels"].flatMap({ first(in: $0, notIn: channels) }) else { return nil }
    let known = Channel.allCases.map(\.name).joined(separator: ", ")
    return "\(owner): '\(name)' is no channel of this version, which knows \(known)"
  }

  private static func first(in node: Node, notIn known: Set<String>) -> String? {
    node.mapping?.keys.compactMap(\.string).first { !known.contains($0) }
  }
}
