public import NotificationModel
public import Postgres

/// What has come of mails' addresses and readers since the mails were routed.
extension SuppressionStore {
  /// A mail that has waited.
  public struct WaitingMail: Sendable {
    public var user: UserID
    public var address: String
    /// Its type's code.
    public var type: Int
    /// The category from whose mails its reader may unsubscribe; nil if there is none.
    public var category: String?

    public init(user: UserID, address: String, type: Int, category: String?) {
      self.user = user
      self.address = address
      self.type = type
      self.category = category
    }
  }

  /// Why mails are not to be sent any more, as the router would say it: their reader has unsubscribed, or their address is suppressed.
  /// Nil for each that may be sent, in the mails' order.
  public func objections(to mails: [WaitingMail]) async throws(PostgresError) -> [SkipReason?] {
    var objections = [SkipReason?](repeating: nil, count: mails.count)
    if mails.isEmpty { return objections }
    for row in try await client.query(Self.against(mails), planned: .alongIndexes) {
      let place = try row.get("place", as: Int.self) - 1
      if try row.get("is_off", as: Bool.self) {
        objections[place] = .preferenceOff
      } else if let code = try row.get("reason", as: Int16?.self) {
        let reason = SuppressionReason(rawValue: code)
        if reason.stopsAll || mails[place].category != nil { objections[place] = .emailSuppressed }
      }
    }
    return objections
  }

  /// A row for each mail against which something may speak. The choice for the type comes before that for the category; without either
  /// the catalogue's default holds, as it did when the mail was routed. A composition of several types has type 0: who has one of them on
  /// wants it, for which were held is not known any more.
  static func against(_ mails: [WaitingMail]) -> SQLQuery {
    """
    SELECT m.place, s.reason, NOT coalesce(t.is_on, c.is_on, true) AS is_off
    FROM unnest(\(mails.map(\.user)), \(mails.map { MailAddress.canonical($0.address) }),
      \(mails.map { Int16(clamping: $0.type) }), \(mails.map(\.category)))
      WITH ORDINALITY AS m(user_id, address, type, category, place)
      LEFT JOIN LATERAL (
        SELECT reason FROM suppressions WHERE address = m.address ORDER BY address, reason LIMIT 1
      ) s ON true
      LEFT JOIN LATERAL (
        SELECT CASE WHEN m.type = 0 THEN nullif(bool_or(is_on), false) ELSE bool_or(is_on) END AS is_on
        FROM (
          SELECT CASE WHEN chosen_channels & \(email) <> 0 THEN enabled_channels & \(email) <> 0 END AS is_on
          FROM (
            SELECT \(unescaped: ChannelChoices.typeMasks) FROM preferences
            WHERE user_id = m.user_id AND (type = m.type OR m.type = 0) AND m.category IS NOT NULL OFFSET 0
          ) chosen
        ) choices
      ) t ON true
      LEFT JOIN LATERAL (
        SELECT CASE WHEN chosen_channels & \(email) <> 0 THEN enabled_channels & \(email) <> 0 END AS is_on
        FROM (
          SELECT \(unescaped: ChannelChoices.categoryMasks) FROM category_preferences
          WHERE user_id = m.user_id AND category = m.category OFFSET 0
        ) chosen
      ) c ON true
    WHERE s.reason IS NOT NULL OR NOT coalesce(t.is_on, c.is_on, true)
    """
  }

  /// As `chosen_channels` has it.
  private static let email = ChannelChoices(email: true).chosenMask
}
