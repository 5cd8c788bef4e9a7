public import Foundation
public import BelfryJSON
import TerminalText
import WallClock

/// A value that is read from a JSON object field by field, so that every problem is found and named in one pass.
public protocol FieldReadable {
  /// Reads the fields; reports problems to `reader` and answers nil when it cannot go on without a value.
  init?(_ reader: FieldReader)
}

/// Reads the fields of one JSON object and gathers what is wrong with them.
public final class FieldReader {
  /// Nobody reads on beyond these.
  private static let maximumProblems = 100

  private let members: [JSONMember]
  private let path: String
  private let problems: Problems
  /// The channels that its fields may name.
  public let routing: [any RoutingChannel]

  /// Whether an unknown field's problem says which one may have been meant.
  private let suggests: Bool

  private init(
    _ members: [JSONMember],
    path: String,
    problems: Problems,
    routing: [any RoutingChannel],
    suggests: Bool
  ) {
    self.members = members
    self.path = path
    self.problems = problems
    self.routing = routing
    self.suggests = suggests
  }

  /// Reads a whole document.
  ///
  /// - Parameter routing: The channels that it may name.
  /// - Throws: ``ValidationError`` with every problem found.
  public static func read<Value: FieldReadable>(
    _ type: Value.Type = Value.self,
    from bytes: [UInt8],
    routing: [any RoutingChannel] = Channel.routing
  ) throws(ValidationError) -> Value {
    try read(type, from: try parse(bytes), routing: routing)
  }

  private static func parse(_ bytes: [UInt8]) throws(ValidationError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONParser.parse(bytes)
    } catch {
      throw ValidationError([FieldError("", "malformed JSON\(Self.place(of: error.offset, in: bytes))")])
    }
  }

  /// Reads a document that is parsed already.
  ///
  /// - Throws: ``ValidationError`` with every problem found.
  public static func read<Value: FieldReadable>(
    _ type: Value.Type = Value.self,
    from document: JSONValue,
    routing: [any RoutingChannel] = Channel.routing
  ) throws(ValidationError) -> Value {
    let (value, errors) = readings(type, from: document, routing: routing)
    guard let value, errors.isEmpty else { throw ValidationError(errors) }
    return value
  }

  /// Reads a document as far as it can be read, and says what is wrong with it.
  ///
  /// - Parameter suggests: Whether an unknown field's problem says which one may have been meant.
  static func readings<Value: FieldReadable>(
    _ type: Value.Type = Value.self,
    from document: JSONValue,
    routing: [any RoutingChannel],
    suggests: Bool = false
  ) -> (value: Value?, errors: [FieldError]) {
    guard let members = document.members else { return (nil, [FieldError("", "expected a JSON object")]) }
    let problems = Problems()
    let value = Value(FieldReader(members, path: "", problems: problems, routing: routing, suggests: suggests))
    return (value, problems.errors)
  }

  // MARK: Fields

  /// The field's value, or nil if it is absent or null. A value of another kind is a problem, reported as `expected`.
  public func optional<Value: FieldValue>(
    _ name: String,
    _ type: Value.Type = Value.self,
    expected: @autoclosure () -> String
  ) -> Value? {
    guard let json = members[name] else { return nil }
    guard let value = Value(json) else {
      problem(name, "expected \(expected())")
      return nil
    }
    return value
  }

  /// The field's value; absence or null is a problem.
  public func required<Value: FieldValue>(
    _ name: String,
    _ type: Value.Type = Value.self,
    expected: String
  ) -> Value? {
    guard isPresent(name) else {
      problem(name, "is required")
      return nil
    }
    return optional(name, type, expected: expected)
  }

  /// A text of at most `limit` characters, and four bytes for each, without control characters; nil if absent.
  public func text(_ name: String, limit: Int, allowsLineBreaks: Bool = false) -> String? {
    guard let value = optional(name, String.self, expected: "a string") else { return nil }
    return checked(value, name, limit: limit, allowsLineBreaks: allowsLineBreaks)
  }

  /// Like ``text(_:limit:allowsLineBreaks:)``, but neither absent nor empty.
  public func requiredText(_ name: String, limit: Int) -> String? {
    guard let value = required(name, String.self, expected: "a string") else { return nil }
    if value.isEmpty {
      problem(name, "must not be empty")
      return nil
    }
    return checked(value, name, limit: limit, allowsLineBreaks: false)
  }

  /// A list of at most `limit` UUIDs without repetitions; nil if absent.
  public func identifiers<Subject>(_ name: String, limit: Int) -> [Identifier<Subject>]? {
    guard let texts = optional(name, [String].self, expected: "a list of UUIDs") else { return nil }
    if texts.count > limit { problem(name, "has \(texts.count) entries; at most \(limit) are allowed") }
    var seen = Set<Identifier<Subject>>()
    var identifiers: [Identifier<Subject>] = []
    for (index, text) in texts.prefix(limit).enumerated() {
      guard let identifier = Identifier<Subject>(text) else {
        problem("\(name)[\(index)]", "expected a UUID")
        continue
      }
      if seen.insert(identifier).inserted { identifiers.append(identifier) }
    }
    // Without a single UUID in it the list is of no use, yet not empty either.
    return identifiers.isEmpty && !texts.isEmpty ? nil : identifiers
  }

  /// A time in RFC 3339; nil if absent.
  public func time(_ name: String) -> Date? {
    guard let text = optional(name, String.self, expected: "a time such as 2026-01-31T08:00:00Z") else { return nil }
    guard let date = Date(rfc3339: text) else {
      problem(name, "expected a time such as 2026-01-31T08:00:00Z")
      return nil
    }
    return date
  }

  /// The object in the field, read by `body`; nil if absent.
  public func object<Value>(_ name: String, _ body: (FieldReader) -> Value?) -> Value? {
    guard let json = members[name] else { return nil }
    guard let nested = json.members else {
      problem(name, "expected an object")
      return nil
    }
    let path = path + name + "."
    return body(FieldReader(nested, path: path, problems: problems, routing: routing, suggests: suggests))
  }

  /// The objects in the field's list, each read by `body`; nil if absent.
  public func objects<Value>(_ name: String, limit: Int, _ body: (FieldReader) -> Value?) -> [Value]? {
    guard let json = members[name] else { return nil }
    guard let elements = json.array else {
      problem(name, "expected a list of objects")
      return nil
    }
    guard elements.count <= limit else {
      problem(name, "has \(elements.count) entries; at most \(limit) are allowed")
      return nil
    }
    var values: [Value] = []
    for (index, element) in elements.enumerated() {
      guard let nested = element.members else {
        problem("\(name)[\(index)]", "expected an object")
        continue
      }
      let reader = FieldReader(
        nested,
        path: "\(path)\(name)[\(index)].",
        problems: problems,
        routing: routing,
        suggests: suggests
      )
      if let value = body(reader) { values.append(value) }
    }
    return values
  }

  /// Names of all fields present, each once, in order.
  public var names: [String] { Set(members.map(\.name)).sorted() }

  /// Whether the field is there and not null.
  public func isPresent(_ name: String) -> Bool { members[name] != nil }

  /// This object as it came.
  public var json: JSONValue { .object(members) }

  /// Whether the field holds an object.
  public func isObject(_ name: String) -> Bool { members[name]?.members != nil }

  /// Reports every field that is not in `known`: for inputs where a typo must not pass in silence.
  public func refuseUnknown(known: Set<String>) {
    guard !members.allSatisfy({ known.contains($0.name) }) else { return }
    let unknown = members.lazy.map(\.name).filter { !known.contains($0) }
    for name in Set(unknown).sorted() {
      problem(name.excerpt, "is not a known field\(suggests ? NearestName.advice(name, among: known) : "")")
    }
  }

  /// Reports a problem with a field of this object.
  public func problem(_ name: String, _ message: String) {
    guard problems.errors.count < Self.maximumProblems else { return }
    let field = name.isEmpty ? String(path.dropLast()) : path + name
    problems.errors.append(FieldError(field, message))
  }

  // MARK: Parts

  private func checked(_ value: String, _ name: String, limit: Int, allowsLineBreaks: Bool) -> String? {
    if let excess = value.lengthProblem(limit: limit) {
      problem(name, excess)
      return nil
    }
    if value.hasControl(except: allowsLineBreaks ? String.lineBreaks : []) {
      problem(name, "must not contain control characters")
      return nil
    }
    return value
  }

  private final class Problems {
    var errors: [FieldError] = []
  }

  /// Where the parser stopped: " near line 1, column 5".
  private static func place(of offset: Int, in bytes: [UInt8]) -> String {
    let before = bytes.prefix(offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
    return " near line \(line), column \(column)"
  }
}
