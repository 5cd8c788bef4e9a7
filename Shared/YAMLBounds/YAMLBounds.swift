import CYaml

/// Looks through a YAML text before anything is built of it: aliases make a small one a tree that is deeper, or has more values, than a
/// process can hold.
///
/// Each event of the text is seen once, and nothing is kept of it but the extent of what has an anchor.
public struct YAMLBounds {
  /// Of lists and mappings in each other, what aliases stand for included: as many as JSON may have.
  public static let maximumDepth = 64
  /// More than any file needs.
  public static let maximumValues = 400_000
  /// Of texts that aliases repeat.
  public static let maximumRepeated = 4 * 1_024 * 1_024

  /// What is beyond the bounds, and where.
  public struct Excess: Error {
    public let message: String
    /// From 1.
    public let line: Int
    /// From 1, in Unicode's scalars.
    public let column: Int
  }

  /// What a node comes to where its aliases are followed.
  private struct Extent {
    var depth = 0
    var values = 1
    var bytes = 0
  }

  /// A list or a mapping that has begun.
  private struct Open {
    let anchor: String?
    let isMapping: Bool
    var nodes = 0
    var extent = Extent()

    /// Whether what comes next is a name.
    var isAtKey: Bool { isMapping && nodes.isMultiple(of: 2) }
  }

  private var open: [Open] = []
  private var anchored: [String: Extent] = [:]
  private var values = 0
  private var repeated = 0

  private init() {}

  /// What is no YAML passes as far as it can be read: the reader that comes after says better what is wrong with it.
  ///
  /// - Throws: ``Excess``.
  public static func check(_ yaml: String) throws(Excess) {
    // The parser keeps its own address.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else {
      throw Excess(message: "there is no memory to read it", line: 1, column: 1)
    }
    defer { yaml_parser_delete(parser) }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    let bytes = Array(yaml.utf8)
    try bytes.withUnsafeBufferPointer { buffer throws(Excess) in
      guard let start = buffer.baseAddress else { return }
      yaml_parser_set_input_string(parser, start, buffer.count)
      var scan = YAMLBounds()
      while try scan.step(parser) {}
    }
  }

  /// - Returns: False at the end, and where the text is no YAML.
  private mutating func step(_ parser: UnsafeMutablePointer<yaml_parser_t>) throws(Excess) -> Bool {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { return false }
    defer { yaml_event_delete(&event) }
    switch event.type {
    case YAML_STREAM_END_EVENT: return false
    case YAML_SEQUENCE_START_EVENT:
      try begin(Open(anchor: Self.text(event.data.sequence_start.anchor), isMapping: false), event)
    case YAML_MAPPING_START_EVENT:
      try begin(Open(anchor: Self.text(event.data.mapping_start.anchor), isMapping: true), event)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      guard var done = open.popLast() else { return false }
      done.extent.depth += 1
      take(done.extent, anchor: done.anchor)
    case YAML_SCALAR_EVENT:
      values += 1
      take(Extent(bytes: Int(event.data.scalar.length)), anchor: Self.text(event.data.scalar.anchor))
    case YAML_ALIAS_EVENT:
      try noKey(event)
      // Of an anchor that is not there the reader says so.
      guard let name = Self.text(event.data.alias.anchor), let extent = anchored[name] else { return false }
      values += extent.values
      repeated += extent.bytes
      try check(depth: open.count + extent.depth, event)
      take(extent, anchor: nil)
    default: break
    }
    guard values <= Self.maximumValues else {
      throw Self.error("there are more than \(Self.maximumValues) values, what aliases (*name) repeat included", event)
    }
    guard repeated <= Self.maximumRepeated else {
      throw Self.error("aliases (*name) repeat more than \(Self.maximumRepeated) bytes", event)
    }
    return true
  }

  private mutating func begin(_ node: Open, _ event: yaml_event_t) throws(Excess) {
    try noKey(event)
    values += 1
    open.append(node)
    try check(depth: open.count, event)
  }

  /// A node is complete: what it is in counts it.
  private mutating func take(_ extent: Extent, anchor: String?) {
    if let anchor { anchored[anchor] = extent }
    guard let last = open.indices.last else { return }
    open[last].nodes += 1
    open[last].extent.depth = max(open[last].extent.depth, extent.depth)
    open[last].extent.values += extent.values
    open[last].extent.bytes += extent.bytes
  }

  private func check(depth: Int, _ event: yaml_event_t) throws(Excess) {
    guard depth > Self.maximumDepth else { return }
    throw Self.error("lists and mappings are more than \(Self.maximumDepth) deep in each other", event)
  }

  /// Names are compared with each other: of a list or an alias that may take for ever.
  private func noKey(_ event: yaml_event_t) throws(Excess) {
    guard open.last?.isAtKey == true else { return }
    throw Self.error("a key is no text", event)
  }

  private static func text(_ name: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    name.map { String(cString: $0) }
  }

  private static func error(_ message: String, _ event: yaml_event_t) -> Excess {
    let mark = event.start_mark
    return Excess(message: message, line: mark.line + 1, column: mark.column + 1)
  }
}
