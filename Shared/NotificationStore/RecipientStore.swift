public import NotificationModel
public import Postgres
import WallClock

/// Loads what routing must know about many people at once.
public struct RecipientStore: Sendable {
  /// A recipient and the type for which the preference is wanted.
  public struct Key: Hashable, Sendable {
    public var user: UserID
    public var type: Int

    public init(user: UserID, type: Int) {
      self.user = user
      self.type = type
    }
  }

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Profiles, preferences and active devices in one round trip. A user without a profile has the defaults.
  ///
  /// The lateral subqueries keep each statement to index probes: as plain joins, plans that were made while a table was
  /// small read it whole when it has grown.
  public func recipients(for keys: Set<Key>) async throws(PostgresError) -> [Key: Recipient] {
    let users = Array(Set(keys.map(\.user)))
    let wanted = Array(keys)
    let results = try await client.transaction([
      """
      SELECT u.user_id, u.email, u.email_status, u.display_name, u.enabled, u.locale, u.timezone
      FROM unnest(\(users)) AS k(user_id)
        CROSS JOIN LATERAL (SELECT * FROM users WHERE user_id = k.user_id OFFSET 0) u
      """,
      """
      SELECT k.user_id, k.type, p.in_app, p.push, p.email
      FROM unnest(\(wanted.map(\.user)), \(wanted.map { Int16(clamping: $0.type) })) AS k(user_id, type)
        CROSS JOIN LATERAL (
          SELECT in_app, push, email FROM preferences WHERE user_id = k.user_id AND type = k.type OFFSET 0
        ) p
      """,
      Self.activeDevices(of: users),
    ])
    var people: [UserID: Recipient] = [:]
    for row in results[0] {
      let id: UserID = try row.get(0)
      var recipient = Recipient(id: id)
      recipient.email = try row.get(1)
      recipient.isEmailSuppressed = try row.get(2, as: Int.self) != 0
      recipient.displayName = try row.get(3)
      recipient.isEnabled = try row.get(4)
      recipient.locale = try row.get(5)
      recipient.zone = try row.get(6, as: String?.self).flatMap { Zone($0) }
      people[id] = recipient
    }
    for row in results[2] {
      let platform: Int = try row.get(3)
      // A platform that this version does not know is one it cannot push to.
      guard let known = DevicePlatform(rawValue: platform) else { continue }
      let user: UserID = try row.get(0)
      people[user, default: Recipient(id: user)].devices.append(
        Device(id: try row.get(1), token: try row.get(2), platform: known)
      )
    }
    var choices: [Key: ChannelChoices] = [:]
    for row in results[1] {
      choices[Key(user: try row.get(0), type: try row.get(1))] = ChannelChoices(
        inApp: try row.get(2),
        push: try row.get(3),
        email: try row.get(4)
      )
    }
    var recipients: [Key: Recipient] = [:]
    recipients.reserveCapacity(keys.count)
    for key in keys {
      var recipient = people[key.user] ?? Recipient(id: key.user)
      recipient.typeChoices = choices[key] ?? ChannelChoices()
      recipients[key] = recipient
    }
    return recipients
  }

  static func activeDevices(of users: [UserID]) -> SQLQuery {
    """
    SELECT k.user_id, d.id, d.token, d.platform
    FROM unnest(\(users)) AS k(user_id)
      CROSS JOIN LATERAL (SELECT * FROM devices WHERE user_id = k.user_id AND active ORDER BY id) d
    """
  }
}
