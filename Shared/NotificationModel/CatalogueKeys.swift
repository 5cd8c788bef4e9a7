import Yams

/// Finds what a catalogue file says and nobody would read: a typo must not silently change who is told.
enum CatalogueKeys {
  private static let file: Set = ["version", "defaults", "types", "events"]
  private static let texts: Set = ["channels", "priority", "timeToLiveDays", "title", "body"]
  private static let entry: Set = texts.union(["code", "name", "category"])
  private static let event: Set = ["name", "arguments"]
  private static let channels: Set = Set(Channel.allCases.map(\.name))

  /// The place of the first unknown key, e.g. `types[3].titel`; nil if there is none.
  static func firstUnknown(in yaml: String) throws -> String? {
    guard let root = try compose(yaml: yaml) else { return nil }
    if let found = unknown(in: root, file, at: "") { return found }
    let defaults = root["defaults"].flatMap { unknown(in: $0, texts, at: "defaults.") }
    if let found = defaults
      ?? root["defaults"]?["channels"].flatMap({ unknown(in: $0, channels, at: "defaults.channels.") })
    {
      return found
    }
    for (index, type) in (root["types"]?.sequence ?? []).enumerated() {
      let place = "types[\(index)]."
      let found =
        unknown(in: type, entry, at: place)
        ?? type["channels"].flatMap { unknown(in: $0, channels, at: "\(place)channels.") }
      if let found { return found }
    }
    for (index, node) in (root["events"]?.sequence ?? []).enumerated() {
      if let found = unknown(in: node, event, at: "events[\(index)].") { return found }
    }
    return nil
  }

  private static func unknown(in node: Node, _ known: Set<String>, at path: String) -> String? {
    node.mapping?.keys.compactMap(\.string).first { !known.contains($0) }.map { "\(path)\($0)" }
  }
}
