import NotificationModel
import Postgres

/// Choices as rows of `preferences` and `category_preferences` keep them: two masks, `chosen_channels` and `enabled_channels`,
/// in which a channel's bit is that of its code (decision 0082).
///
/// In what a release before wrote they are NULL, and `in_app`, `push` and `email` say it. This release writes these as well.
extension ChannelChoices {
  /// The two masks of a row of `preferences`. Its `chosen` says of which of the three columns something was chosen: bit 0 is
  /// in-app, 1 push, 2 email.
  static let typeMasks = """
    coalesce(chosen_channels, (chosen & 7) * 2) AS chosen_channels,
    coalesce(enabled_channels, in_app::int4 * 2 + push::int4 * 4 + email::int4 * 8) AS enabled_channels
    """

  /// The two masks of a row of `category_preferences`, where a column that is NULL was not chosen.
  static let categoryMasks = """
    coalesce(chosen_channels,
      (in_app IS NOT NULL)::int4 * 2 + (push IS NOT NULL)::int4 * 4 + (email IS NOT NULL)::int4 * 8) AS chosen_channels,
    coalesce(enabled_channels,
      (in_app IS TRUE)::int4 * 2 + (push IS TRUE)::int4 * 4 + (email IS TRUE)::int4 * 8) AS enabled_channels
    """

  /// - Parameter position: Of the first of the two masks.
  init(_ row: PostgresRow, at position: Int) throws(PostgresError) {
    self.init(
      chosen: UInt64(bitPattern: try row.get(position, as: Int64.self)),
      on: UInt64(bitPattern: try row.get(position + 1, as: Int64.self))
    )
  }

  /// `chosen_channels`.
  var chosenMask: Int64 { Int64(bitPattern: chosen) }

  /// `enabled_channels`.
  var enabledMask: Int64 { Int64(bitPattern: on) }

  /// `chosen` of `preferences`, for releases that know no masks.
  var chosenColumns: Int16 { Int16(chosen >> 1 & 7) }
}
