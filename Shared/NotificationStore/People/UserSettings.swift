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
  /// By the names of the catalogue's settings, and whatever other numbers are stored: those that were ever set.
  public var numbers: [String: Decimal] = [:]
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
      numbers = Self.numbers(in: try row.get("settings"))
    }
    for row in types {
      rows.types[try row.get(0)] = try ChannelChoices(row, at: 1)
    }
    for row in categories {
      rows.categories[try row.get(0)] = try ChannelChoices(row, at: 1)
    }
  }
}
