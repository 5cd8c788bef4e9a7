/// The statements prepared on one connection, by text and parameter types.
///
/// A name is trusted only after the server confirmed it: until then (or if an earlier statement's failure made the server
/// skip the preparation) others use the unnamed statement, so that nobody is spoiled by somebody else's failure. Names
/// are never used again.
struct PreparedStatements {
  final class Statement {
    fileprivate let key: Key
    let name: String
    /// Whether the server has confirmed it.
    var isReady = false
    /// Set by the first result; the server refuses to run a statement whose columns have changed.
    var columns: PostgresColumns?
    fileprivate var lastUse: UInt64

    fileprivate init(key: Key, name: String, lastUse: UInt64) {
      self.key = key
      self.name = name
      self.lastUse = lastUse
    }
  }

  enum Plan {
    case prepareFirst(Statement)
    case execute(Statement)
    case unnamed
  }

  fileprivate struct Key: Hashable {
    let sql: String
    let types: [UInt32]
  }

  private let capacity: Int
  private var statements: [Key: Statement] = [:]
  private var uses: UInt64 = 0

  init(capacity: Int = 256) {
    self.capacity = capacity
  }

  /// How to send the query.
  mutating func plan(_ query: SQLQuery) -> Plan {
    let key = Key(sql: query.sql, types: query.bindings.types)
    uses += 1
    if let statement = statements[key] {
      statement.lastUse = uses
      return statement.isReady ? .execute(statement) : .unnamed
    }
    let statement = Statement(key: key, name: "s\(uses)", lastUse: uses)
    statements[key] = statement
    return .prepareFirst(statement)
  }

  /// The least recently used statement, if there are too many; it is forgotten here and to be deallocated on the server.
  mutating func evict() -> Statement? {
    guard statements.count > capacity else { return nil }
    let oldest = statements.values.lazy.filter(\.isReady).min { $0.lastUse < $1.lastUse }
    if let oldest { forget(oldest) }
    return oldest
  }

  mutating func forget(_ statement: Statement) {
    if statements[statement.key] === statement { statements[statement.key] = nil }
  }

  mutating func removeAll() {
    statements.removeAll()
  }
}
