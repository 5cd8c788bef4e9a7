import Postgres

/// How PostgreSQL plans the statements of one transaction: settings that are made before them and end with it.
///
/// A plan that was made while a table or a week's partition was empty would read it whole until it is made anew.
struct PlannerHints: Sendable {
  let statement: SQLQuery

  /// No table is read whole, however small it was when the plan was made.
  static let alongIndexes = Self(statement: "SELECT set_config('enable_seqscan', 'off', true)")

  /// No table is read whole either, and the server gives up after the timeout, because the caller can do without the answer.
  static func alongIndexes(within timeout: Duration) -> Self {
    let milliseconds = String(max(1, Int(timeout / .milliseconds(1))))
    return Self(
      statement:
        "SELECT set_config('enable_seqscan', 'off', true), set_config('statement_timeout', \(milliseconds), true)"
    )
  }

  /// The planner takes thousands of cheap probes for one dear query, and would spend a second on compiling it.
  static let alongIndexesWithoutJIT = Self(
    statement: "SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)"
  )

  /// Each row is probed for by its key, because a hash or merge join would read all that there are to find a few.
  static let inNestedLoops = Self(
    statement: """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)
      """
  )

  /// Rows are found by primary keys and then sorted, without bitmaps of all that another index leads to.
  static let byIndexScansWithoutJIT = Self(
    statement: """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true)
      """
  )

  /// Rows come in the order of an index, so that they are read only as far as they are needed.
  static let inIndexOrder = Self(
    statement: """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('enable_sort', 'off', true)
      """
  )

  /// The same of every week's partition, whose many probes the planner would compile.
  static let inIndexOrderWithoutJIT = Self(
    statement: """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('enable_sort', 'off', true), set_config('jit', 'off', true)
      """
  )
}

extension PostgresClient {
  /// The query's rows. `former`, whose own rows are dropped, run before it in its transaction, and all in one round trip.
  func query(
    _ query: SQLQuery,
    after former: [SQLQuery] = [],
    planned hints: PlannerHints
  ) async throws(PostgresError) -> PostgresResult {
    try await transaction(former + [query], planned: hints)[former.count]
  }

  /// One transaction in one round trip: a result for each of the queries.
  func transaction(
    _ queries: [SQLQuery],
    planned hints: PlannerHints
  ) async throws(PostgresError) -> [PostgresResult] {
    Array(try await transaction([hints.statement] + queries).dropFirst())
  }
}

/// The hints last until the transaction ends.
extension PostgresTransaction {
  /// The query's rows. `former`, whose own rows are dropped, run before it, and all in one round trip.
  func query(
    _ query: SQLQuery,
    after former: [SQLQuery] = [],
    planned hints: PlannerHints
  ) async throws(PostgresError) -> PostgresResult {
    try await queries(former + [query], planned: hints)[former.count]
  }

  /// A result for each of the queries, in one round trip.
  func queries(_ queries: [SQLQuery], planned hints: PlannerHints) async throws(PostgresError) -> [PostgresResult] {
    Array(try await self.queries([hints.statement] + queries).dropFirst())
  }
}
