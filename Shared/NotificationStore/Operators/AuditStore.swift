public import Foundation
public import BelfryJSON
public import Postgres

/// What people with power over others' data did.
public struct AuditStore: Sendable {
  public struct Entry: Sendable, Equatable {
    /// Grows with each entry, not without gaps.
    public var id: Int
    public var at: Date
    /// A token's subject, or `key:<id>`; `self` of a user's own erasure, `link` of who used a mail's link to unsubscribe, `erased` of what
    /// an erased user did.
    public var actor: String
    public var action: String
    public var subject: String?
    public var detail: JSONValue?
    public var requestID: String?
  }

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Writes one entry down; where what it records is a statement too, ``line(actor:action:subject:detail:requestID:)`` goes
  /// into its transaction.
  public func write(
    actor: String,
    action: String,
    subject: String? = nil,
    detail: JSONValue? = nil,
    requestID: String? = nil
  ) async throws(PostgresError) {
    _ = try await client.query(
      Self.line(actor: actor, action: action, subject: subject, detail: detail, requestID: requestID)
    )
  }

  /// A page of it, the newest first.
  ///
  /// - Parameter before: Only entries with smaller ids; nil begins with the newest.
  public func page(before: Int?, limit: Int) async throws(PostgresError) -> (entries: [Entry], hasMore: Bool) {
    var entries: [Entry] = []
    for row in try await client.query(Self.entries(before: before, limit: limit + 1)) { entries.append(try Entry(row)) }
    return (Array(entries.prefix(limit)), entries.count > limit)
  }

  // MARK: Statements

  /// The statement that writes an entry down.
  ///
  /// - Parameters:
  ///   - actor: Who did it: a token's subject, or `key:<id>`.
  ///   - action: What was done, as `user.erase` or `deadLetters.redrive`.
  ///   - subject: To what or whom; nil where that must not be kept.
  ///   - detail: Of us and not of a caller: its texts must be without U+0000, which jsonb refuses.
  ///   - requestID: Of the HTTP request, as logs name it.
  public static func line(
    actor: String,
    action: String,
    subject: String? = nil,
    detail: JSONValue? = nil,
    requestID: String? = nil
  ) -> SQLQuery {
    """
    INSERT INTO audit (actor, action, subject, detail, request_id)
    VALUES (\(actor), \(action), \(subject), \(detail.map { PostgresJSON(text: JSONWriter.text($0)) }), \(requestID))
    """
  }

  static func entries(before: Int?, limit: Int) -> SQLQuery {
    """
    SELECT id, at, actor, action, subject, detail, request_id FROM audit WHERE id < \(before ?? .max)
    ORDER BY id DESC LIMIT \(limit)
    """
  }
}

extension AuditStore.Entry {
  fileprivate init(_ row: PostgresRow) throws(PostgresError) {
    id = try row.get("id")
    at = try row.get("at")
    actor = try row.get("actor")
    action = try row.get("action")
    subject = try row.get("subject")
    requestID = try row.get("request_id")
    guard let text: String = try row.get("detail") else { return }
    do throws(JSONSyntaxError) {
      detail = try JSONParser.parse(Array(text.utf8))
    } catch {
      throw .decoding("the detail of an audit entry: \(error)")
    }
  }
}
