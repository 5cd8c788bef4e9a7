import Foundation
import LocalStack
import Postgres

/// Shows how PostgreSQL carries out the statements of requests: of the gateway's own sessions, as they are prepared there.
struct StatementPlans {
  let bench: Bench

  private static let settings = [
    "session_preload_libraries = 'auto_explain'", "auto_explain.log_min_duration = 0", "auto_explain.log_analyze = on",
    "auto_explain.log_timing = off",
  ]

  /// Sends each request once and prints the plans that the server writes down meanwhile.
  ///
  /// - Parameter requests: What each is called, and what it is answered.
  func show(_ requests: [(what: String, request: [UInt8], status: Int)]) async throws {
    for setting in Self.settings { try await alter("SET \(setting)") }
    try await renewSessions()
    let connection = try LoadConnection(port: bench.stack.services(.gateway)[0].port)
    for (what, request, status) in requests {
      let before = try size()
      var answered = try connection.exchange(request)
      // Its sessions are being opened anew.
      for _ in 0..<100 where answered == 503 {
        WallTime.sleep(until: WallTime.now + 100_000_000)
        answered = try connection.exchange(request)
      }
      guard answered == status else { throw BenchError("answered \(answered): \(connection.text)") }
      Progress.say("  plans of \(what):\n\(try plans(since: before))")
    }
    for setting in Self.settings {
      try await alter("RESET \(setting.prefix { $0 != " " })")
    }
    try await renewSessions()
  }

  private func alter(_ change: String) async throws {
    let statement = "ALTER DATABASE %I \(change.replacing("'", with: "''"))"
    _ = try await bench.database.query(
      "DO $$ BEGIN EXECUTE format('\(unescaped: statement)', current_database()); END $$"
    )
  }

  /// What a database sets counts for sessions that begin later.
  private func renewSessions() async throws {
    _ = try await bench.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'belfry-gateway'"
    )
  }

  private var log: URL { URL(filePath: "\(bench.directory)/postgresql/server.log") }

  private func size() throws -> UInt64 { try FileHandle(forReadingFrom: log).seekToEnd() }

  /// What the gateway's sessions did, without when and how long.
  private func plans(since start: UInt64) throws -> String {
    let handle = try FileHandle(forReadingFrom: log)
    try handle.seek(toOffset: start)
    let text = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    var (lines, isMeant): ([Substring], Bool) = ([], false)
    // An entry's further lines begin with a tab.
    for line in text.split(separator: "\n") {
      guard !line.hasPrefix("\t") else {
        if isMeant { lines.append(line) }
        continue
      }
      isMeant = line.contains("belfry-gateway") && line.contains("plan:")
      if isMeant { lines.append("    --") }
    }
    return lines.joined(separator: "\n")
  }
}
