import NotificationModel

/// Where a row of `notifications` keeps what was decided on a channel, as SQL. The first three channels have a column each, since
/// they are all that nearly every row needs; those of all others are members of `decisions`, by the channel's code (decision 0026).
/// A new channel needs no column, and no change here.
enum DecisionColumns {
  /// By ascending code.
  static let all: [(channel: Channel, name: String)] = [(.inApp, "in_app"), (.push, "push"), (.email, "email")]

  /// Those of channels that can wait, and that can be decided anew: the inbox does neither.
  private static let changing = all.filter { $0.channel != .inApp }

  /// Nil where `decisions` has it.
  static func name(of channel: Channel) -> String? { all.first { $0.channel == channel }?.name }

  /// The code that is stored for a channel in a row.
  static func code(of channel: Channel, in row: String) -> String {
    name(of: channel).map { "\(row).\($0)" } ?? "(\(row).decisions -> '\(channel.rawValue)' ->> 'code')::int2"
  }

  /// The code that is stored for a channel which the statement says.
  ///
  /// - Parameters:
  ///   - channel: SQL for the channel's code.
  ///   - row: Name of the row of `notifications`.
  static func code(on channel: String, of row: String) -> String {
    let columns = all.map { "WHEN \($0.channel.rawValue) THEN \(row).\($0.name)" }.joined(separator: " ")
    return "CASE \(channel) \(columns) ELSE (\(row).decisions -> \(channel)::text ->> 'code')::int2 END"
  }

  /// Rows of `channel` and `code` for each channel of a row.
  static func each(of row: String) -> String {
    let columns = all.map { "(\($0.channel.rawValue)::int2, \(row).\($0.name))" }.joined(separator: ", ")
    return """
      SELECT channel, code FROM (VALUES \(columns)) AS columns(channel, code)
      UNION ALL
      SELECT key::int2, (value ->> 'code')::int2 FROM jsonb_each(\(row).decisions) WHERE \(isFurther("key"))
      """
  }

  /// Whether any channel of a row waits.
  static func waits(_ row: String) -> String {
    let columns = changing.map { "\(row).\($0.name) < 0" }.joined(separator: " OR ")
    return "(\(columns) OR \(row).decisions @? '$.* ? (@.code < 0)')"
  }

  /// Assignments to the columns of a row.
  ///
  /// - Parameter value: SQL for a column's value, from that of what is stored.
  static func assignments(to row: String, _ value: (_ stored: String) -> String) -> String {
    changing.map { "\($0.name) = \(value("\(row).\($0.name)"))" }.joined(separator: ", ")
  }

  /// Whether a member of `decisions` is of a channel that has no column: only then it says the code as well.
  static func isFurther(_ key: String) -> String {
    "\(key)::int NOT IN (\(all.map { String($0.channel.rawValue) }.joined(separator: ", ")))"
  }
}
