import Postgres
import Testing

extension TestGateway {
  /// Every row of every table that mentions `text`, in order; of an empty text every row.
  func rows(mentioning text: String = "") async throws -> [String] {
    let select = try await database.query(
      """
      SELECT string_agg(format('SELECT %L || '' '' || t::text AS line FROM %I t', relname, relname), ' UNION ALL ')
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      """
    )
    let all: String = try #require(select.first).get(0)
    let rows = try await database.query("\(unescaped: all)")
    return try rows.map { try $0.get(0) as String }.filter { text.isEmpty || $0.contains(text) }.sorted()
  }
}
