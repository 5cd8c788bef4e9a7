/// A long statement, from a file of its own, in which parameters have names.
///
/// In the text `$name` is a parameter and `{name}` a constant of the program's, which is put in as it is. Parameters are
/// numbered in the order in which they first appear; one that appears again has the same number. Quoted text, bodies between
/// `$$`, and what follows a name (`$ids::uuid[]`) stay as they are. Comments are for readers: they are not sent.
///
/// The text is read once, so keep the statement in a `static let`. A query then costs no more than encoding its values one
/// after the other: its text is shared, not put together, and names are compared in debug builds alone, because values are
/// bound in the order of their numbers and no name has to be looked up.
public struct SQLStatement: Sendable {
  /// The text that is sent, with numbered placeholders.
  public let sql: String
  /// The parameters' names in the order of their numbers.
  public let parameters: [String]
  /// What faults of the program name: the file.
  let name: String

  /// Reads a statement. Text that cannot be read, and constants other than those in the text, are a programmer's error, which
  /// ends the process.
  ///
  /// - Parameters:
  ///   - text: Trusted, as are the constants. One statement; strings have no backslash escapes (`E''`).
  ///   - name: Is named if something is wrong.
  ///   - constants: By their names in the text. They are not looked through for names themselves.
  public init(_ text: String, name: String, constants: [String: String] = [:]) {
    do throws(SQLStatementFault) {
      try self.init(reading: text, name: name, constants: constants)
    } catch {
      preconditionFailure("\(name): \(error)")
    }
  }

  init(reading text: String, name: String = "", constants: [String: String] = [:]) throws(SQLStatementFault) {
    (sql, parameters) = try SQLStatementReader.read(text, constants: constants)
    self.name = name
  }

  /// The statement with values for all its parameters. That one is missing, unknown, bound twice or bound in another order is a
  /// programmer's error, which ends a debug build; a wrong number of them ends any.
  ///
  /// - Parameter bind: Binds every parameter once, in the order in which they first appear in the text.
  public func query(_ bind: (inout Values) -> Void) -> SQLQuery {
    var values = Values(of: self)
    bind(&values)
    let count = values.bindings.count
    precondition(
      count == parameters.count,
      "\(name): \(count) parameters of \(parameters.count) are bound: \(parameters.joined(separator: ", "))"
    )
    return SQLQuery(sql: sql, bindings: values.bindings)
  }

  /// Why a parameter is not the one to be bound now; nil if it is.
  ///
  /// - Parameter count: How many are bound.
  func fault(binding parameter: String, after count: Int) -> String? {
    if count < parameters.count, parameters[count] == parameter { return nil }
    guard let index = parameters.firstIndex(of: parameter) else { return "\(name): there is no $\(parameter)" }
    return index < count
      ? "\(name): $\(parameter) is bound twice" : "\(name): $\(parameters[count]) comes before $\(parameter)"
  }

  /// Takes the values of a statement's parameters.
  public struct Values {
    @usableFromInline let statement: SQLStatement
    @usableFromInline var bindings = SQLBindings()

    init(of statement: SQLStatement) {
      self.statement = statement
      bindings.reserve(statement.parameters.count)
    }

    /// Binds the next parameter.
    ///
    /// - Parameter name: Without the `$`.
    @inlinable public mutating func bind(_ name: StaticString, _ value: some PostgresEncodable) {
      assert(fault(binding: name) == nil, fault(binding: name) ?? "")
      bindings.append(value)
    }

    @usableFromInline func fault(binding name: StaticString) -> String? {
      statement.fault(binding: name.description, after: bindings.count)
    }
  }
}
