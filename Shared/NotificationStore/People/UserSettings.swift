public import Foundation
public import NotificationModel
import Postgres
public import WallClock

/// All that users set for themselves; these values are those of who set nothing.
public struct UserSettings: Sendable, Equatable {
  /// The master switch.
  public var isEnabled = true
  /// A time that has passed is no pause.
  public var pausedUntil: Date?
  public var quietHoursEnabled = false
  /// Never the same as ``quietHoursEnd``. Kept while quiet hours are off.
  public var quietHoursStart: LocalTime?
  public var quietHoursEnd: LocalTime?
  /// Identifier of a zone; nil is the deployment's.
  public var timezone: String?
  public var isSoundEnabled = true
  public var isBadgeEnabled = true
  /// Nil where none was ever set.
  public var lowBalanceThreshold: Decimal?
  public var rows = PreferenceRows()

  public init() {}

  /// Whether what makes a notification wait is not the same as in others.
  func decidesOtherwise(than others: UserSettings) -> Bool {
    (isEnabled, pausedUntil, timezone) != (others.isEnabled, others.pausedUntil, others.timezone)
      || (quietHoursEnabled, quietHoursStart, quietHoursEnd)
        != (others.quietHoursEnabled, others.quietHoursStart, others.quietHoursEnd)
  }
}

extension UserSettings {
  /// What the ``SettingsStore/statements(of:)`` answer.
  init(
    profile: PostgresResult,
    types: PostgresResult,
    categories: PostgresResult
  ) throws(PostgresError) {
    if let row = profile.first {
      isEnabled = try row.get("enabled")
      pausedUntil = try row.get("paused_until")
      quietHoursEnabled = try row.get("quiet_hours_enabled")
      quietHoursStart = try row.get("quiet_start", as: Int?.self).flatMap(LocalTime.init(secondOfDay:))
      quietHoursEnd = try row.get("quiet_end", as: Int?.self).flatMap(LocalTime.init(secondOfDay:))
      timezone = try row.get("timezone")
      isSoundEnabled = try row.get("sound")
      isBadgeEnabled = try row.get("badge")
      lowBalanceThreshold = try row.get("threshold", as: String?.self)
        .flatMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) }
    }
    for row in types {
      rows.types[try row.get("type")] = ChannelChoices(
        inApp: try row.get("in_app"),
        push: try row.get("push"),
        email: try row.get("email"),
        chosen: try row.get("chosen")
      )
    }
    for row in categories {
      rows.categories[try row.get("category")] = ChannelChoices(
        inApp: try row.get("in_app"),
        push: try row.get("push"),
        email: try row.get("email")
      )
    }
  }
}
