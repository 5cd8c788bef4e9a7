import Postgres
import Testing

extension PostgresClient {
  /// Inserts many rows into a table and looks at them for the planner.
  ///
  /// Its indexes are away meanwhile, and its partitions' with them, and built afterwards: that takes half the time of a million
  /// rows.
  func fill(_ table: String, _ insertion: SQLQuery) async throws {
    let rows = try await query(
      """
      SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE conrelid = \(table)::regclass AND contype IN ('p', 'u')
      UNION ALL
      SELECT format('DROP INDEX %s', indexrelid::regclass), replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
      FROM pg_index WHERE indrelid = \(table)::regclass
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = indrelid)
      """
    )
    let statements = try rows.map { (away: try $0.get(0, as: String.self), back: try $0.get(1, as: String.self)) }
    try #require(!statements.isEmpty, "\(table) has no index")
    for statement in statements { _ = try await query(SQLQuery(unescaped: statement.away)) }
    _ = try await query(insertion)
    for statement in statements { _ = try await query(SQLQuery(unescaped: statement.back)) }
    _ = try await query(SQLQuery(unescaped: "ANALYZE \(table)"))
  }
}
