public import Foundation
import JSON
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
  ///
  /// Services ask each second: one entry of the primary key's index is read.
  public func newest() async throws(PostgresError) -> Int {
    try await client.query(Self.newest).first?.get(0) ?? 0
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
  ///   - actor: Who applies it: a token's subject.
  ///   - rollbackOf: Which version's text it is, if it is an old one's.
  ///   - expecting: The number of the version in force, as the caller knows it.
  ///   - requestID: Of the HTTP request, as logs name it.
  /// - Returns: Nil if another has been applied meanwhile: nothing is changed then.
  public func apply(
    _ text: String,
    changes: [CatalogueChange],
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
      guard try await transaction.query(Self.insert(version)).affectedRows == 1 else { return nil }
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

  // MARK: Statements

  static let newest: SQLQuery = "SELECT number FROM catalogue_versions ORDER BY number DESC LIMIT 1"

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
  static func insert(_ version: CatalogueVersion) -> SQLQuery {
    """
    INSERT INTO catalogue_versions (number, text, applied_at, applied_by, rollback_of, changes)
    SELECT \(version.number), \(version.text), \(version.summary.appliedAt), \(version.summary.appliedBy),
      \(version.summary.rollbackOf), \(PostgresJSON(text: version.summary.changes.stored))
    WHERE \(version.number - 1) = coalesce((SELECT max(number) FROM catalogue_versions), 0)
    ON CONFLICT (number) DO NOTHING
    """
  }
}
