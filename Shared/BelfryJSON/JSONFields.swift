/// Reads the fields of an object that a program wrote. The first problem ends it, reported with its place and without any
/// value.
public struct JSONFields {
  private let members: [JSONMember]

  public init(_ value: JSONValue) throws(JSONFieldError) {
    guard let members = value.members else { throw JSONFieldError("expected an object") }
    self.members = members
  }

  // MARK: Texts, numbers, truths

  public func string(_ name: String) throws(JSONFieldError) -> String {
    guard let value = try optionalString(name) else { throw .missing(name) }
    return value
  }

  /// Nil if the field is absent or null, as in all the optional forms.
  public func optionalString(_ name: String) throws(JSONFieldError) -> String? {
    guard let value = members[name] else { return nil }
    guard let text = value.string else { throw JSONFieldError("expected a string", at: name) }
    return text
  }

  public func integer(_ name: String) throws(JSONFieldError) -> Int {
    guard let value = try optionalInteger(name) else { throw .missing(name) }
    return value
  }

  public func optionalInteger(_ name: String) throws(JSONFieldError) -> Int? {
    guard let value = members[name] else { return nil }
    guard let number = value.integer else { throw JSONFieldError("expected a whole number", at: name) }
    return number
  }

  public func boolean(_ name: String) throws(JSONFieldError) -> Bool {
    guard let value = try optionalBoolean(name) else { throw .missing(name) }
    return value
  }

  public func optionalBoolean(_ name: String) throws(JSONFieldError) -> Bool? {
    guard let value = members[name] else { return nil }
    guard let truth = value.boolean else { throw JSONFieldError("expected true or false", at: name) }
    return truth
  }

  // MARK: Values that travel as text

  /// - Parameters:
  ///   - expected: What the text must be, for the error.
  ///   - convert: Answers nil for any other text.
  public func value<Value>(
    _ name: String,
    expected: String,
    _ convert: (String) -> Value?
  ) throws(JSONFieldError) -> Value {
    guard let value = try optionalValue(name, expected: expected, convert) else { throw .missing(name) }
    return value
  }

  public func optionalValue<Value>(
    _ name: String,
    expected: String,
    _ convert: (String) -> Value?
  ) throws(JSONFieldError) -> Value? {
    guard let text = try optionalString(name) else { return nil }
    guard let value = convert(text) else { throw JSONFieldError("expected \(expected)", at: name) }
    return value
  }

  // MARK: Structures

  /// Whatever stands there, null and absence excepted.
  public func json(_ name: String) throws(JSONFieldError) -> JSONValue {
    guard let value = members[name] else { throw .missing(name) }
    return value
  }

  /// An object whose members are all texts.
  public func texts(_ name: String) throws(JSONFieldError) -> [String: String] {
    let members = try members(name)
    var texts: [String: String] = [:]
    texts.reserveCapacity(members.count)
    for member in members {
      // The names are data and may be anybody's: they are not repeated.
      guard let text = member.value.string else { throw JSONFieldError("expected strings", at: name) }
      texts[member.name] = text
    }
    return texts
  }

  /// The members of an object, whatever their values are.
  public func members(_ name: String) throws(JSONFieldError) -> [JSONMember] {
    guard let value = members[name] else { throw .missing(name) }
    guard let members = value.members else { throw JSONFieldError("expected an object", at: name) }
    return members
  }

  public func object<Value>(
    _ name: String,
    _ read: (JSONFields) throws(JSONFieldError) -> Value
  ) throws(JSONFieldError) -> Value {
    guard let value = try optionalObject(name, read) else { throw .missing(name) }
    return value
  }

  /// Nil if the field is absent or null.
  public func optionalObject<Value>(
    _ name: String,
    _ read: (JSONFields) throws(JSONFieldError) -> Value
  ) throws(JSONFieldError) -> Value? {
    guard let value = members[name] else { return nil }
    do throws(JSONFieldError) { return try read(JSONFields(value)) } catch { throw error.within(name) }
  }

  public func objects<Value>(
    _ name: String,
    _ read: (JSONFields) throws(JSONFieldError) -> Value
  ) throws(JSONFieldError) -> [Value] {
    let elements = try elements(name) { (element) throws(JSONFieldError) in try read(JSONFields(element)) }
    guard let elements else { throw .missing(name) }
    return elements
  }

  /// The elements of a list; nil if the field is absent or null.
  public func elements<Value>(
    _ name: String,
    _ read: (JSONValue) throws(JSONFieldError) -> Value
  ) throws(JSONFieldError) -> [Value]? {
    guard let value = members[name] else { return nil }
    guard let elements = value.array else { throw JSONFieldError("expected a list", at: name) }
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(JSONFieldError) {
        values.append(try read(element))
      } catch {
        throw error.within("\(name)[\(index)]")
      }
    }
    return values
  }
}

/// What is wrong with a field, and where: `expected a string at contents[0].title`.
public struct JSONFieldError: Error, Equatable, CustomStringConvertible {
  public let problem: String
  public let path: String

  public init(_ problem: String, at path: String = "") {
    self.problem = problem
    self.path = path
  }

  static func missing(_ name: String) -> JSONFieldError { JSONFieldError("'\(name)' is missing") }

  func within(_ outer: String) -> JSONFieldError {
    JSONFieldError(problem, at: path.isEmpty ? outer : "\(outer).\(path)")
  }

  public var description: String { path.isEmpty ? problem : "\(problem) at \(path)" }
}
