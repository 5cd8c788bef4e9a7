public import Foundation
import BelfryJSON
public import NotificationModel
public import Postgres

/// The versions of the operator's catalogue: the newest is in force, and none is ever removed.
public struct CatalogueVersionStore: Sendable {
  /// Bytes of a version's text.
  public static let maximumText = CatalogueText.maximumBytes

  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// The number of the version in force; 0 if none was applied yet.
  public func newest() async throws(PostgresError) -> Int { try await newestIdentity()?.number ?? 0 }

  /// The version in force; nil if none was applied yet.
  ///
  /// Services ask each second: one entry of the primary key's index is read, and its row.
  public func newestIdentity() async throws(PostgresError) -> CatalogueVersion.Identity? {
    try await identity(Self.newest)
  }

  /// The version that has a number now; nil if there is none.
  public func identity(of number: Int) async throws(PostgresError) -> CatalogueVersion.Identity? {
    try await identity(Self.identity(of: number))
  }

  private func identity(_ query: SQLQuery) async throws(PostgresError) -> CatalogueVersion.Identity? {
    guard let row = try await client.query(query).first else { return nil }
    return CatalogueVersion.Identity(number: try row.get("number"), appliedAt: try row.get("applied_at"))
  }

  /// One version as it was applied; nil if there is none of that number.
  public func version(_ number: Int) async throws(PostgresError) -> CatalogueVersion? {
    guard let row = try await client.query(Self.version(number)).first else { return nil }
    return CatalogueVersion(try CatalogueVersion.Summary(row), text: try row.get("text"))
  }

  /// A page of them without their texts, the newest first.
  ///
  /// - Parameter after: Only versions older than this one; nil begins with the newest.
  public func versions(after: Int?, limit: Int) async throws(PostgresError) -> [CatalogueVersion.Summary] {
    var summaries: [CatalogueVersion.Summary] = []
    for row in try await client.query(Self.versions(after: after, limit: limit)) {
      summaries.append(try CatalogueVersion.Summary(row))
    }
    return summaries
  }

  /// Puts a text in force, as the next version, and writes down who did it.
  ///
  /// - Parameters:
  ///   - text: Without U+0000 and of at most ``maximumText`` bytes, which the caller has checked.
  ///   - names: What it knows: ``NotificationModel/Catalogue/versionNames``. Nil: it may know anything.
  ///   - actor: Who applies it: a token's subject.
  ///   - rollbackOf: Which version's text it is, if it is an old one's.
  ///   - expecting: The number of the version in force, as the caller knows it.
  ///   - requestID: Of the HTTP request, as logs name it.
  /// - Returns: Nil if another has been applied meanwhile: nothing is changed then.
  public func apply(
    _ text: String,
    changes: [CatalogueChange],
    names: [String]? = nil,
    by actor: String,
    rollbackOf: Int? = nil,
    expecting: Int,
    at now: Date,
    requestID: String? = nil
  ) async throws -> CatalogueVersion? {
    let summary = CatalogueVersion.Summary(
      number: expecting + 1,
      appliedAt: now,
      appliedBy: actor,
      rollbackOf: rollbackOf,
      changes: changes
    )
    let version = CatalogueVersion(summary, text: text)
    return try await client.withTransaction { transaction in
      guard try await transaction.query(Self.insert(version, names: names)).affectedRows == 1 else { return nil }
      var detail = [JSONMember("changes", changes.count)]
      if let rollbackOf { detail.append(JSONMember("rollbackOf", rollbackOf)) }
      _ = try await transaction.query(
        AuditStore.line(
          actor: actor,
          action: rollbackOf == nil ? "catalogue.apply" : "catalogue.rollback",
          subject: String(version.number),
          detail: .object(detail),
          requestID: requestID
        )
      )
      return version
    }
  }

  /// Versions that know a name, the newest first, and at last the oldest: for each name that any knows.
  ///
  /// - Parameters:
  ///   - names: As ``NotificationModel/Catalogue/versionNames`` has them.
  ///   - number: Only versions before this one.
  ///   - limit: Of the newest.
  public func versions(
    knowing names: Set<String>,
    before number: Int,
    limit: Int
  ) async throws(PostgresError) -> [String: [Int]] {
    guard !names.isEmpty else { return [:] }
    var versions: [String: [Int]] = [:]
    for row in try await client.query(Self.knowing(names.sorted(), before: number, limit: limit)) {
      versions[try row.get("name"), default: []].append(try row.get("number"))
    }
    return versions
  }

  /// The numbers of the versions that were in force at those times; 0 before the first.
  public func numbers(inForceAt times: [Date]) async throws(PostgresError) -> [Int] {
    guard !times.isEmpty else { return [] }
    var numbers: [Int] = []
    for row in try await client.query(Self.inForce(at: times)) { numbers.append(try row.get("number")) }
    return numbers
  }

  // MARK: Statements

  static let newest: SQLQuery = "SELECT number, applied_at FROM catalogue_versions ORDER BY number DESC LIMIT 1"

  static func identity(of number: Int) -> SQLQuery {
    "SELECT number, applied_at FROM catalogue_versions WHERE number = \(number)"
  }

  static func knowing(_ names: [String], before number: Int, limit: Int) -> SQLQuery {
    """
    SELECT w.name, k.number FROM unnest(\(names)) AS w(name) CROSS JOIN LATERAL (
      (SELECT number FROM catalogue_versions WHERE number < \(number) AND (names IS NULL OR names @> ARRAY[w.name])
       ORDER BY number DESC LIMIT \(limit))
      UNION
      (SELECT number FROM catalogue_versions WHERE number < \(number) AND (names IS NULL OR names @> ARRAY[w.name])
       ORDER BY number LIMIT 1)
    ) k
    ORDER BY w.name, k.number DESC
    """
  }

  static func inForce(at times: [Date]) -> SQLQuery {
    """
    SELECT coalesce(
      (SELECT number FROM catalogue_versions WHERE applied_at <= t.instant ORDER BY number DESC LIMIT 1), 0
    ) AS number
    FROM unnest(\(times)) WITH ORDINALITY AS t(instant, position) ORDER BY t.position
    """
  }

  static func version(_ number: Int) -> SQLQuery {
    """
    SELECT number, text, applied_at, applied_by, rollback_of, changes FROM catalogue_versions WHERE number = \(number)
    """
  }

  static func versions(after: Int?, limit: Int) -> SQLQuery {
    """
    SELECT number, applied_at, applied_by, rollback_of, changes FROM catalogue_versions WHERE number < \(after ?? .max)
    ORDER BY number DESC LIMIT \(limit)
    """
  }

  /// Of two at once, the second waits for the first at the primary key, and then inserts nothing.
  static func insert(_ version: CatalogueVersion, names: [String]?) -> SQLQuery {
    """
    INSERT INTO catalogue_versions (number, text, applied_at, applied_by, rollback_of, changes, names)
    SELECT \(version.number), \(version.text), \(version.summary.appliedAt), \(version.summary.appliedBy),
      \(version.summary.rollbackOf), \(PostgresJSON(text: version.summary.changes.stored)), \(names)
    WHERE \(version.number - 1) = coalesce((SELECT max(number) FROM catalogue_versions), 0)
    ON CONFLICT (number) DO NOTHING
    """
  }
}
