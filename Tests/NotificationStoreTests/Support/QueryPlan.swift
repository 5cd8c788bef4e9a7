import Foundation
import Postgres
import Testing

@testable import NotificationStore

/// What PostgreSQL would do for a statement.
struct QueryPlan: CustomStringConvertible {
  struct Node {
    let type: String
    let relation: String?
    let index: String?
    /// Rows that it looked at, where the statement was run.
    let rowsRead: Int
  }

  /// All nodes of the tree, from the top.
  let nodes: [Node]
  let description: String

  /// Plans a statement as the driver has it planned: prepared, with its parameters unknown (`isGeneric`) or known.
  ///
  /// - Parameters:
  ///   - hints: Those of its transaction.
  ///   - types: SQL types of the parameters.
  ///   - arguments: Their values as SQL text.
  ///   - isRun: Also runs it, for the nodes' `rowsRead`.
  static func of(
    _ query: SQLQuery,
    planned hints: PlannerHints? = nil,
    types: [String],
    arguments: [String],
    isGeneric: Bool,
    isRun: Bool = false,
    _ client: PostgresClient
  ) async throws -> QueryPlan {
    let json = try await client.withConnection { session in
      try await session.script("SET plan_cache_mode = force_\(isGeneric ? "generic" : "custom")_plan")
      // Neither takes an empty list.
      func list(_ parts: [String]) -> String { parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))" }
      try await session.script("PREPARE planned\(list(types)) AS \(query.sql)")
      let explain = "EXPLAIN (ANALYZE \(isRun), FORMAT JSON) EXECUTE planned\(list(arguments))"
      let queries = [hints?.statement, SQLQuery(unescaped: explain)].compactMap { $0 }
      return try #require(try await session.transaction(queries).last?.first?.get(0, as: String.self))
    }
    return try QueryPlan(json: json)
  }

  init(json: String) throws {
    let tree = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    nodes = tree.compactMap { $0["Plan"] as? [String: Any] }.flatMap(Self.nodes)
    description = json
  }

  /// How the tables (or partitions) whose names begin with `prefix` are read; rows whose place another read has found are
  /// left out.
  func reads(of prefix: String) -> [Node] {
    nodes.filter { $0.relation?.hasPrefix(prefix) == true && !["ModifyTable", "Tid Scan"].contains($0.type) }
  }

  private static func nodes(below plan: [String: Any]) -> [Node] {
    let node = Node(
      type: plan["Node Type"] as? String ?? "",
      relation: plan["Relation Name"] as? String,
      index: plan["Index Name"] as? String,
      rowsRead: rowsRead(plan)
    )
    return [node] + (plan["Plans"] as? [[String: Any]] ?? []).flatMap(nodes)
  }

  /// The counts are averages over the loops.
  private static func rowsRead(_ plan: [String: Any]) -> Int {
    func number(_ name: String) -> Double { (plan[name] as? NSNumber)?.doubleValue ?? 0 }
    return Int(((number("Actual Rows") + number("Rows Removed by Filter")) * number("Actual Loops")).rounded())
  }
}

extension QueryPlan.Node {
  var usesPrimaryKey: Bool { ["Index Scan", "Index Only Scan"].contains(type) && index?.hasSuffix("_pkey") == true }
}
