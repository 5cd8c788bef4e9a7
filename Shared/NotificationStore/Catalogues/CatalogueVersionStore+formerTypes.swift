public import NotificationModel
public import Postgres

extension CatalogueVersionStore {
  /// As many versions are looked through, the newest.
  static let maximumSearched = 1_000

  /// Types that had these codes in earlier versions and are gone, the latest first. Of the built-in types, which the first version took
  /// away, those alone that something was sent of.
  ///
  /// What is written down of each version's changes is read, whose texts name types by code. Of versions that changed more than is
  /// written down some may be missing.
  public func formerTypes(of codes: [Int]) async throws(PostgresError) -> [CatalogueDifference.FormerType] {
    guard !codes.isEmpty else { return [] }
    var types: [CatalogueDifference.FormerType] = []
    for row in try await client.query(Self.formerTypes(of: codes, in: Self.maximumSearched)) {
      guard let code = Int(try row.get("code", as: String.self)) else { continue }
      types.append(.init(code: code, name: try row.get("name"), goneSince: try row.get("number")))
    }
    return types
  }

  static func formerTypes(of codes: [Int], in limit: Int) -> SQLQuery {
    """
    SELECT v.number, c.change ->> 'name' AS name, split_part(c.change ->> 'text', ' ', 2) AS code
    FROM (SELECT number, changes FROM catalogue_versions ORDER BY number DESC LIMIT \(limit)) v
    CROSS JOIN LATERAL jsonb_array_elements(v.changes) AS c (change)
    WHERE c.change ->> 'kind' = 'typeRemoved' AND split_part(c.change ->> 'text', ' ', 2) = ANY(\(codes.map(String.init)))
      AND (v.number > 1 OR EXISTS (SELECT 1 FROM stats WHERE type::text = split_part(c.change ->> 'text', ' ', 2)))
    ORDER BY v.number DESC, code
    """
  }
}
