public import BelfryJSON

/// What one of two builds says otherwise than the other, in one part of what they declare, publish and answer.
public struct MessageDifference: Codable, Sendable, Equatable {
  public let part: String
  public let onlyThese: [String]
  public let onlyOther: [String]

  public init(part: String, onlyThese: [String], onlyOther: [String]) {
    self.part = part
    self.onlyThese = onlyThese
    self.onlyOther = onlyOther
  }

  /// The parts that differ, by name.
  ///
  /// - Parameters: Lines by part; their order does not count.
  public static func all(_ these: [String: [String]], _ other: [String: [String]]) -> [MessageDifference] {
    Set(these.keys).union(other.keys).sorted().compactMap { part in
      let (mine, others) = (Set(these[part] ?? []), Set(other[part] ?? []))
      guard mine != others else { return nil }
      return MessageDifference(
        part: part,
        onlyThese: mine.subtracting(others).sorted(),
        onlyOther: others.subtracting(mine).sorted()
      )
    }
  }

  /// A line for each value of a JSON text: where it stands, and what it is. What is another one each time counts by its kind: ids,
  /// times, and whatever else contains one.
  public static func lines(of value: JSONValue, at path: String = "") -> [String] {
    switch value {
    case .null: ["\(path): null"]
    case .boolean(let flag): ["\(path): \(flag)"]
    case .number(let text): ["\(path): \(text.count > 9 ? "a long number" : text)"]
    case .string(let text): ["\(path): \(described(text))"]
    case .array(let values):
      values.isEmpty
        ? ["\(path): []"] : values.enumerated().flatMap { lines(of: $0.element, at: "\(path)[\($0.offset)]") }
    case .object(let members):
      members.isEmpty
        ? ["\(path): {}"] : members.flatMap { lines(of: $0.value, at: path.isEmpty ? $0.name : "\(path).\($0.name)") }
    }
  }

  /// A line of what the broker has, with a queue's arguments in order: it lists them in any.
  public static func declared(_ line: String) -> String {
    let arguments = line.matches(of: #/\{"[^"]*",[^{}]*\}/#).map { String($0.output) }
    guard let start = line.firstIndex(of: "["), !arguments.isEmpty else { return described(line) }
    return described(line[..<start] + "[" + arguments.sorted().joined(separator: ",") + "]")
  }

  /// - Parameter text: Of a message, a header or the name of a queue.
  public static func described(_ text: String) -> String {
    let replaced =
      text
      .replacing(#/[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/#) { _ in "<id>" }
      .replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z?/#) { _ in "<time>" }
      .replacing(#/(127\.0\.0\.1|localhost):[0-9]+/#) { "\($0.output.1):<port>" }
      .replacing(#/(belfry\.realtime\.[^\s"]*\.)[A-Za-z0-9_-]{22}/#) { "\($0.output.1)<node>" }
      .replacing(#/[0-9a-f]{16,}/#) { _ in "<hex>" }
    return "\"\(replaced)\""
  }
}
