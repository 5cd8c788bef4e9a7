/// A statement with its parameters: `"SELECT title FROM notifications WHERE user_id = \(id)"`.
///
/// Interpolated values are bound (`$1`, `$2`, …), never spliced into the text. One statement per query. Statements are
/// prepared once per connection and text, so the text should not vary with the data: for many rows bind arrays and
/// `unnest` them. A long statement lies in a file: ``SQLStatement``.
public struct SQLQuery: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The text that is sent, with placeholders.
  public let sql: String
  let bindings: SQLBindings

  /// A statement without parameters, from text that is trusted.
  public init(unescaped sql: String) {
    self.sql = sql
    bindings = SQLBindings()
  }

  /// A statement that is put together from trusted parts which share their parameters: `$1` is the first of the values.
  public init<each Value: PostgresEncodable>(unescaped sql: String, binding values: repeat each Value) {
    self.sql = sql
    var bindings = SQLBindings()
    repeat bindings.append(each values)
    self.bindings = bindings
  }

  init(sql: String, bindings: SQLBindings) {
    self.sql = sql
    self.bindings = bindings
  }

  public init(stringLiteral sql: String) {
    self.init(unescaped: sql)
  }

  public init(stringInterpolation: StringInterpolation) {
    sql = stringInterpolation.sql
    bindings = stringInterpolation.bindings
  }

  /// The text with placeholders: values never show.
  public var description: String { sql }

  /// Collects the text and binds the values.
  public struct StringInterpolation: StringInterpolationProtocol {
    @usableFromInline var sql: String
    @usableFromInline var bindings = SQLBindings()

    public init(literalCapacity: Int, interpolationCount: Int) {
      sql = ""
      sql.reserveCapacity(literalCapacity + interpolationCount * 3)
      bindings.reserve(interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) {
      sql += literal
    }

    /// Binds the value to the next placeholder.
    @inlinable public mutating func appendInterpolation(_ value: some PostgresEncodable) {
      bindings.append(value)
      sql += "$"
      sql += String(bindings.count)
    }

    /// Binds the value, or NULL. (The overload tells the compiler that optionals are meant to be interpolated.)
    @inlinable public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
      bindings.append(value)
      sql += "$"
      sql += String(bindings.count)
    }

    /// Puts trusted text, such as the name of a table, into the statement. Never pass what a user wrote.
    public mutating func appendInterpolation(unescaped text: String) {
      sql += text
    }
  }
}
