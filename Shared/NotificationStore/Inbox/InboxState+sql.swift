import NotificationModel
import Postgres

/// Codes of states as literals: only by a literal PostgreSQL knows that a statement keeps to the condition of
/// `notifications_seq`, and plans do not depend on what is bound.
extension InboxState {
  /// Its code: `18`.
  var sql: String { String(rawValue) }
}

extension [InboxState] {
  /// Their codes as `IN` takes them: `(0, 18, 19)`.
  var sql: String { "(" + map(\.sql).joined(separator: ", ") + ")" }
}

extension SQLQuery.StringInterpolation {
  /// Puts a state's code into the statement: `in_app = \(literal: .archived)`.
  mutating func appendInterpolation(literal state: InboxState) {
    appendInterpolation(unescaped: state.sql)
  }

  /// Puts the codes of states into the statement: `in_app IN \(literals: InboxState.kept)`.
  mutating func appendInterpolation(literals states: [InboxState]) {
    appendInterpolation(unescaped: states.sql)
  }
}
