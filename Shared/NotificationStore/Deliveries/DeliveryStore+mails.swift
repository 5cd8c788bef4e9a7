public import NotificationModel
public import Postgres

extension DeliveryStore {
  /// What a report has of a mail that was sent: at least one of both.
  public struct MailTrace: Sendable, Equatable {
    /// From the Message-ID or the return path.
    public var notification: NotificationID?
    /// From the return path.
    public var user: UserID?
    /// The provider's.
    public var providerID: String?

    public init(notification: NotificationID? = nil, user: UserID? = nil, providerID: String? = nil) {
      self.notification = notification
      self.user = user
      self.providerID = providerID
    }
  }

  /// A mail that was sent.
  public struct Mail: Sendable, Equatable {
    public var user: UserID
    public var notification: NotificationID
    public var address: String

    public init(user: UserID, notification: NotificationID, address: String) {
      self.user = user
      self.notification = notification
      self.address = address
    }
  }

  /// The mails that leave these traces, in the traces' order; a trace by which nothing is found has none.
  public func mails(_ traces: [MailTrace]) async throws(PostgresError) -> [[Mail]] {
    var found = Array(repeating: [Mail](), count: traces.count)
    guard !traces.isEmpty else { return found }
    for row in try await client.query(Self.mails(traces), planned: .byIndexScansWithoutJIT) {
      let position: Int = try row.get(0)
      guard found.indices.contains(position - 1) else { continue }
      let mail = Mail(user: try row.get(1), notification: try row.get(2), address: try row.get(3))
      if !found[position - 1].contains(mail) { found[position - 1].append(mail) }
    }
    return found
  }

  /// The channel stands in the statement: the indexes have mails alone. More than a few mails with one id are no trace of any.
  static func mails(_ traces: [MailTrace]) -> SQLQuery {
    """
    SELECT t.position, d.user_id, d.notification_id, d.target
    FROM unnest(\(traces.map(\.notification)), \(traces.map(\.user)), \(traces.map(\.providerID)))
      WITH ORDINALITY AS t(id, user_id, provider_id, position)
      CROSS JOIN LATERAL (
        (SELECT user_id, notification_id, target FROM deliveries
        WHERE notification_id = t.id AND channel = 3 AND (t.user_id IS NULL OR user_id = t.user_id) LIMIT 10)
        UNION ALL
        (SELECT user_id, notification_id, target FROM deliveries
        WHERE provider_id = t.provider_id AND provider_id IS NOT NULL AND channel = 3 LIMIT 10)
      ) d
    """
  }
}
