import Foundation
import LocalStack

/// PostgreSQL's own load generator, in a database of its own on the stack's server.
struct Pgbench: Sendable {
  private let environment: [String: String]
  let url: String

  /// Makes the database and its table of 100,000 accounts.
  static func prepare(_ stack: BelfryStack) async throws -> Pgbench {
    try await stack.postgres.createDatabase("pgbench")
    let bench = Pgbench(stack)
    try await bench.call(["-i", "-q", "-s", "1"])
    return bench
  }

  private init(_ stack: BelfryStack) {
    url = stack.postgres.url(database: "pgbench")
    let address = URLComponents(string: url)
    // The password goes by the environment: other users can read command lines.
    environment = LocalProcess.inheritedEnvironment.merging([
      "PGHOST": "127.0.0.1", "PGPORT": String(stack.postgres.port), "PGUSER": address?.user ?? "",
      "PGPASSWORD": address?.password ?? "", "PGDATABASE": "pgbench",
    ]) { $1 }
  }

  /// Primary-key reads per second (`-S -M prepared`).
  func reads(clients: Int, seconds: Int) async throws -> Double {
    try Self.transactionsPerSecond(
      try await call(["-n", "-S", "-M", "prepared", "-c", "\(clients)", "-j", "2", "-T", "\(seconds)"])
    )
  }

  /// Rows per second that a single client inserts, 500 a statement, into a table with the primary key of notifications.
  func insertedRows(seconds: Int, directory: String) async throws -> Double {
    let script = "\(directory)/insert.sql"
    let sql = """
      INSERT INTO bench_rows SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 10, 'Allowance received', \
      'You received $10.00. Your balance is $42.00.', '{"amount":"$10.00","balance":"$42.00"}', now() \
      FROM generate_series(1, 500);

      """
    try Data(sql.utf8).write(to: URL(filePath: script))
    let table = """
      CREATE TABLE bench_rows (user_id uuid, id uuid, request_id uuid, type int2, title text, body text, data jsonb, \
      created_at timestamptz, PRIMARY KEY (user_id, id))
      """
    try await LocalProcess.run(executable: "psql", arguments: ["-q", "-c", table], environment: environment)
    let statements = try await call(["-n", "-f", script, "-c", "1", "-T", "\(seconds)"])
    return try Self.transactionsPerSecond(statements) * 500
  }

  @discardableResult
  private func call(_ arguments: [String]) async throws -> String {
    try await LocalProcess.run(
      executable: "pgbench",
      arguments: arguments,
      environment: environment,
      within: .seconds(300)
    )
  }

  private static func transactionsPerSecond(_ output: String) throws -> Double {
    guard let match = output.firstMatch(of: /tps = ([0-9.]+)/), let rate = Double(match.1) else {
      throw BenchError("pgbench said something unexpected: \(output)")
    }
    return rate
  }
}
