/// One step of a schema's history: a file of SQL, never changed once it has been applied anywhere.
public struct Migration: Sendable {
  /// The file's name; unique, e.g. `m0001_initial.sql`.
  public let name: String
  /// Statements separated by semicolons, without transaction commands.
  public let sql: String

  public init(name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}
