public import Foundation
import BelfryJSON
public import NotificationModel
public import Postgres

/// What people do by the links to unsubscribe that are in mails.
public struct UnsubscriptionStore: Sendable {
  /// How a link's category stands for its user.
  public struct Standing: Sendable, Equatable {
    /// The user was erased since the link was made; all else is as of somebody who is not known.
    public var isErased = false
    /// Of the user's profile.
    public var locale: String?
    /// Whether the category's mails are wanted.
    public var isOn = true
    /// When the user unsubscribed by a link; nil: never, or it is not off any more. It can be taken back.
    public var unsubscribedAt: Date?
    /// Why the profile's address gets none of these mails, whatever is chosen; nil if it does.
    public var suppression: AddressSuppression?

    public init() {}
  }

  /// Who did it, for the audit log: whoever has the link.
  static let actor = "link"

  private let client: PostgresClient
  private let settings: SettingsStore

  public init(client: PostgresClient) {
    self.client = client
    settings = SettingsStore(client: client)
  }

  /// How it stands: nothing is changed.
  ///
  /// - Parameter catalogue: All types.
  public func standing(
    of link: UnsubscribeLink,
    in catalogue: [NotificationType]
  ) async throws(PostgresError) -> Standing {
    let results = try await client.transaction(
      SettingsStore.statements(of: link.user) + [
        UserLock.erasure(of: link.user, since: link.issuedAt),
        "SELECT locale FROM users WHERE user_id = \(link.user)",
        Self.reading(link),
        SuppressionStore.of(link.user),
      ]
    )
    var standing = Standing()
    guard results[3].isEmpty else {
      standing.isErased = true
      return standing
    }
    let rows = try UserSettings(profile: results[0], types: results[1], categories: results[2]).rows
    standing.locale = try results[4].first?.get(0, as: String?.self) ?? nil
    standing.isOn = rows.isOn(link.category, on: .email, among: catalogue)
    // A complaint stops what may be unsubscribed, and only such categories have links.
    if let row = results[6].first {
      standing.suppression = AddressSuppression(SuppressionReason(rawValue: try row.get(0)), since: try row.get(1))
    }
    if !standing.isOn { standing.unsubscribedAt = try results[5].first?.get("unsubscribed_at") }
    return standing
  }

  /// Switches the mails of the link's category off. Where they are off by choice already nothing changes, and nothing is written down.
  ///
  /// - Parameters:
  ///   - catalogue: All types.
  ///   - requestID: Of the HTTP request, as logs name it.
  /// - Returns: How it stands now. Of who was erased since the link was made nothing is written.
  public func unsubscribe(
    by link: UnsubscribeLink,
    in catalogue: [NotificationType],
    at now: Date,
    requestID: String?
  ) async throws -> Standing {
    try await change(by: link, in: catalogue, at: now) { settings, _ in
      let former = settings.rows.unsubscribe(from: link.category, on: .email, among: catalogue)
      guard let former else { return [] }
      return [Self.writing(former, of: link, at: now), Self.audit("user.unsubscribe", link, requestID)]
    }
  }

  /// Takes back what was done by a link: what was chosen before holds again, as far as nothing else was chosen since. Where nothing was
  /// done nothing changes.
  ///
  /// - Parameters: As for ``unsubscribe(by:in:at:requestID:)``.
  public func takeBack(
    by link: UnsubscribeLink,
    in catalogue: [NotificationType],
    at now: Date,
    requestID: String?
  ) async throws -> Standing {
    try await change(by: link, in: catalogue, at: now) { settings, stored in
      guard let row = stored.first else { return [] }
      // What was switched on elsewhere since is no unsubscription any more.
      guard !settings.rows.isOn(link.category, on: .email, among: catalogue) else { return [Self.deleting(link)] }
      settings.rows.resubscribe(to: link.category, on: .email, as: try FormerChoices(row))
      return [Self.deleting(link), Self.audit("user.resubscribe", link, requestID)]
    }
  }

  private func change(
    by link: UnsubscribeLink,
    in catalogue: [NotificationType],
    at now: Date,
    _ change: (inout UserSettings, PostgresResult) throws -> [SQLQuery]
  ) async throws -> Standing {
    do {
      _ = try await settings.change(
        of: link.user,
        in: catalogue,
        at: now,
        asked: link.issuedAt,
        reading: Self.reading(link),
        change
      )
    } catch ErasureError.erasedMeanwhile {
      // Said below.
    }
    return try await standing(of: link, in: catalogue)
  }

  // MARK: Statements

  private static func reading(_ link: UnsubscribeLink) -> SQLQuery {
    """
    SELECT unsubscribed_at, former::text AS former FROM unsubscriptions
    WHERE user_id = \(link.user) AND category = \(link.category)
    """
  }

  private static func writing(_ former: FormerChoices, of link: UnsubscribeLink, at now: Date) -> SQLQuery {
    """
    INSERT INTO unsubscriptions (user_id, category, unsubscribed_at, former)
    VALUES (\(link.user), \(link.category), \(now), \(PostgresJSON(text: JSONWriter.text(former.json))))
    ON CONFLICT (user_id, category) DO UPDATE SET
      unsubscribed_at = excluded.unsubscribed_at, former = excluded.former
    """
  }

  private static func deleting(_ link: UnsubscribeLink) -> SQLQuery {
    "DELETE FROM unsubscriptions WHERE user_id = \(link.user) AND category = \(link.category)"
  }

  /// Whose mails are switched on is no unsubscription any more, also if they are switched off again later: no link takes back what was
  /// chosen since. Written with each change of choices; nil if it switches no category's mails on.
  static func ended(
    from former: PreferenceRows,
    to rows: PreferenceRows,
    of user: UserID,
    in catalogue: [NotificationType]
  ) -> SQLQuery? {
    guard former != rows else { return nil }
    let types = Dictionary(grouping: catalogue, by: \.category)
    let categories = Set(types.keys).union(former.categories.keys).union(rows.categories.keys)
    let on = categories.filter { category in
      let own = types[category] ?? []
      return !former.isOn(category, on: .email, among: own) && rows.isOn(category, on: .email, among: own)
    }
    guard !on.isEmpty else { return nil }
    return "DELETE FROM unsubscriptions WHERE user_id = \(user) AND category = ANY(\(on.sorted()))"
  }

  private static func audit(_ action: String, _ link: UnsubscribeLink, _ requestID: String?) -> SQLQuery {
    AuditStore.line(
      actor: actor,
      action: action,
      subject: link.user.description,
      detail: .object([JSONMember("category", link.category)]),
      requestID: requestID
    )
  }
}
