public import Foundation
public import NotificationModel
public import Postgres
import WallClock

/// What users set for themselves: choices, quiet hours, pause, master switch, sound, badge, the catalogue's settings.
public struct SettingsStore: Sendable {
  private let client: PostgresClient
  private let followUps: [SettingsFollowUps.Statement]

  public init(client: PostgresClient) {
    self.init(client: client, followUps: SettingsFollowUps.all)
  }

  init(client: PostgresClient, followUps: [SettingsFollowUps.Statement]) {
    self.client = client
    self.followUps = followUps
  }

  /// A user's settings, in one round trip. Who has set nothing has the defaults.
  public func settings(of user: UserID) async throws(PostgresError) -> UserSettings {
    let results = try await client.transaction(Self.statements(of: user))
    return try UserSettings(profile: results[0], types: results[1], categories: results[2])
  }

  /// Reads, changes and writes a user's settings; nobody else changes them meanwhile. What `change` throws leaves all as it
  /// was.
  ///
  /// - Parameters:
  ///   - catalogue: All types: a row also says what held on the channels that were not chosen.
  /// - Returns: The settings as they are now.
  /// - Throws: ``ErasureError/erasedMeanwhile``, what `change` throws, and what the database fails with.
  public func change(
    of user: UserID,
    in catalogue: [NotificationType],
    at now: Date,
    _ change: (inout UserSettings) throws -> Void
  ) async throws -> UserSettings {
    try await self.change(of: user, in: catalogue, at: now, asked: now, reading: nil) { settings, _ in
      try change(&settings)
      return []
    }
  }

  /// The same with more, in the same transaction.
  ///
  /// - Parameters:
  ///   - asked: Whose erasure since then is in the way.
  ///   - further: Is read with the settings; its answer is given to `change`, an empty one where there is none.
  ///   - change: Answers what else is written, before the settings.
  func change(
    of user: UserID,
    in catalogue: [NotificationType],
    at now: Date,
    asked: Date,
    reading further: SQLQuery?,
    _ change: (inout UserSettings, PostgresResult) throws -> [SQLQuery]
  ) async throws -> UserSettings {
    try await client.withTransaction { transaction in
      let results = try await transaction.queries(
        [UserLock.take(user)] + Self.statements(of: user, isLocking: true) + [UserLock.erasure(of: user, since: asked)]
          + (further.map { [$0] } ?? [])
      )
      guard results[4].isEmpty else { throw ErasureError.erasedMeanwhile }
      let former = try UserSettings(profile: results[1], types: results[2], categories: results[3])
      var settings = former
      let statements =
        try change(&settings, results.count > 5 ? results[5] : results[4])
        + writing(settings, over: former, of: user, in: catalogue, at: now)
      if !statements.isEmpty { _ = try await transaction.queries(statements) }
      return settings
    }
  }

  /// The profile's part, the choices for types and those for categories.
  ///
  /// - Parameter isLocking: Whether the profile, if there is one, is to be changed: a writer that does not know ``UserLock``
  ///   waits then.
  static func statements(of user: UserID, isLocking: Bool = false) -> [SQLQuery] {
    [
      """
      SELECT enabled, paused_until, quiet_hours_enabled, extract(epoch FROM quiet_hours_start)::int4 AS quiet_start,
        extract(epoch FROM quiet_hours_end)::int4 AS quiet_end, timezone,
        coalesce(settings ->> 'soundEnabled' <> 'false', true) AS sound,
        coalesce(settings ->> 'badgeEnabled' <> 'false', true) AS badge, settings::text AS settings
      FROM users WHERE user_id = \(user)\(unescaped: isLocking ? " FOR UPDATE" : "")
      """,
      "SELECT type, \(unescaped: ChannelChoices.typeMasks) FROM preferences WHERE user_id = \(user)",
      "SELECT category, \(unescaped: ChannelChoices.categoryMasks) FROM category_preferences WHERE user_id = \(user)",
    ]
  }

  private func writing(
    _ settings: UserSettings,
    over former: UserSettings,
    of user: UserID,
    in catalogue: [NotificationType],
    at now: Date
  ) -> [SQLQuery] {
    var statements: [SQLQuery] = []
    let decidesOtherwise = settings.decidesOtherwise(than: former)
    var (others, formerOthers) = (settings, former)
    (others.rows, formerOthers.rows) = (PreferenceRows(), PreferenceRows())
    if others != formerOthers { statements.append(Self.profile(settings, over: former, of: user, decidesOtherwise)) }
    let change = PreferenceChange(from: former.rows, to: settings.rows)
    if !change.isEmpty { statements += Self.choices(change, among: settings.rows, of: user, in: catalogue) }
    if let ended = UnsubscriptionStore.ended(from: former.rows, to: settings.rows, of: user, in: catalogue) {
      statements.append(ended)
    }
    if decidesOtherwise { statements += followUps.map { $0(user, now) } }
    // Rules compare with them; nothing waits for them.
    if !decidesOtherwise, settings.numbers != former.numbers {
      statements.append(RuleStore.resettle(user, now: now))
    }
    let tallies = StatStore.unsubscribed(from: former, to: settings, in: catalogue, at: now)
    if !tallies.isEmpty { statements.append(StatStore.tally(tallies)) }
    return statements
  }

  private static func profile(
    _ settings: UserSettings,
    over former: UserSettings,
    of user: UserID,
    _ decidesOtherwise: Bool
  ) -> SQLQuery {
    """
    INSERT INTO users (user_id, enabled, paused_until, quiet_hours_enabled, quiet_hours_start, quiet_hours_end, timezone,
      settings, settings_revision)
    VALUES (\(user), \(settings.isEnabled), \(settings.pausedUntil), \(settings.quietHoursEnabled),
      \(settings.quietHoursStart?.description)::time, \(settings.quietHoursEnd?.description)::time, \(settings.timezone),
      \(settings.json(over: former)), \(decidesOtherwise ? 1 : 0))
    ON CONFLICT (user_id) DO UPDATE SET
      enabled = excluded.enabled, paused_until = excluded.paused_until,
      quiet_hours_enabled = excluded.quiet_hours_enabled, quiet_hours_start = excluded.quiet_hours_start,
      quiet_hours_end = excluded.quiet_hours_end, timezone = excluded.timezone,
      settings = (users.settings || excluded.settings) - \(settings.removed(from: former)),
      settings_revision = users.settings_revision + excluded.settings_revision, updated_at = now()
    """
  }

  /// Rows are written by deleting and inserting: an update is what a gateway of before does (m0007_settings.sql).
  private static func choices(
    _ change: PreferenceChange,
    among rows: PreferenceRows,
    of user: UserID,
    in catalogue: [NotificationType]
  ) -> [SQLQuery] {
    let written = change.written
    let types = written.types.keys.sorted()
    let categories = written.categories.keys.sorted()
    let byCode = Dictionary(catalogue.map { ($0.code, $0) }) { $1 }
    let effective = types.map { type in byCode[type].map(rows.effective) ?? written.types[type] ?? ChannelChoices() }
    let (own, choices) = (
      types.map { written.types[$0] ?? ChannelChoices() }, categories.map { written.categories[$0] ?? ChannelChoices() }
    )
    let (goneTypes, goneCategories) = (types + change.deletedTypes, categories + change.deletedCategories)
    var statements: [SQLQuery] = []
    if !goneTypes.isEmpty {
      statements.append(
        """
        DELETE FROM preferences WHERE user_id = \(user)
          AND type = ANY(\(goneTypes.map { Int16(clamping: $0) }))
        """
      )
    }
    if !types.isEmpty {
      statements.append(
        """
        INSERT INTO preferences (user_id, type, in_app, push, email, chosen, chosen_channels, enabled_channels)
        SELECT \(user), * FROM unnest(\(types.map { Int16(clamping: $0) }), \(effective.map { $0[.inApp] ?? false }),
          \(effective.map { $0[.push] ?? false }), \(effective.map { $0[.email] ?? false }),
          \(own.map(\.chosenColumns)), \(own.map(\.chosenMask)), \(own.map(\.enabledMask)))
        ON CONFLICT DO NOTHING
        """
      )
    }
    if !goneCategories.isEmpty {
      statements.append(
        "DELETE FROM category_preferences WHERE user_id = \(user) AND category = ANY(\(goneCategories))"
      )
    }
    if !categories.isEmpty {
      statements.append(
        """
        INSERT INTO category_preferences (user_id, category, in_app, push, email, chosen_channels, enabled_channels)
        SELECT \(user), * FROM unnest(\(categories), \(choices.map { $0[.inApp] }), \(choices.map { $0[.push] }),
          \(choices.map { $0[.email] }), \(choices.map(\.chosenMask)), \(choices.map(\.enabledMask)))
        """
      )
    }
    return statements
  }
}
