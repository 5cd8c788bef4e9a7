import Foundation
import NotificationModel
import Postgres
import Rules
import WallClock

extension RuleStore {
  /// States as columns.
  struct Rows {
    var keys: [RuleStateKey]
    var states: [String] = []
    var timers: [Date?] = []
    var days: [Int32?] = []
    var disposals: [Date?] = []

    init(_ keys: [RuleStateKey], _ states: [RuleStateKey: RuleState]) {
      self.keys = keys
      for key in keys {
        guard let state = states[key] else { preconditionFailure("the keys are the states'") }
        self.states.append(state.json)
        timers.append(state.timer?.at)
        days.append(state.day.map { Int32($0.dayNumber) })
        disposals.append(state.disposableFrom)
      }
    }
  }

  static func lock(_ keys: [RuleStateKey]) -> SQLQuery {
    """
    SELECT s.user_id, s.rule, s.key, s.state
    FROM unnest(\(keys.map(\.user)), \(keys.map(\.rule)), \(keys.map(\.key))) AS k(user_id, rule, key)
      JOIN rule_states s ON s.user_id = k.user_id AND s.rule = k.rule AND s.key = k.key
    ORDER BY s.user_id, s.rule, s.key FOR UPDATE OF s
    """
  }

  static func read(_ keys: [RuleStateKey]) -> SQLQuery {
    """
    SELECT s.user_id, s.rule, s.key, s.state
    FROM unnest(\(keys.map(\.user)), \(keys.map(\.rule)), \(keys.map(\.key))) AS k(user_id, rule, key)
      JOIN rule_states s ON s.user_id = k.user_id AND s.rule = k.rule AND s.key = k.key
    """
  }

  static func insert(_ rows: Rows) -> SQLQuery {
    """
    INSERT INTO rule_states (user_id, rule, key, state, timer_at, day, disposable_from)
    SELECT * FROM unnest(
      \(rows.keys.map(\.user)), \(rows.keys.map(\.rule)), \(rows.keys.map(\.key)), \(rows.states), \(rows.timers),
      \(rows.days), \(rows.disposals)
    ) AS r(user_id, rule, key, state, timer_at, day, disposable_from)
    ORDER BY user_id, rule COLLATE "C", key COLLATE "C"
    ON CONFLICT DO NOTHING
    """
  }

  /// A state that is to be looked at because of its person's settings stays so, unless that was the look.
  static func update(_ rows: Rows, settling: Bool) -> SQLQuery {
    """
    UPDATE rule_states s SET state = r.state, day = r.day, disposable_from = r.disposable_from,
      timer_at = CASE WHEN s.is_unsettled AND NOT \(settling) THEN s.timer_at ELSE r.timer_at END,
      is_unsettled = s.is_unsettled AND NOT \(settling)
    FROM unnest(
      \(rows.keys.map(\.user)), \(rows.keys.map(\.rule)), \(rows.keys.map(\.key)), \(rows.states), \(rows.timers),
      \(rows.days), \(rows.disposals)
    ) AS r(user_id, rule, key, state, timer_at, day, disposable_from)
    WHERE s.user_id = r.user_id AND s.rule = r.rule AND s.key = r.key
    """
  }

  static func postpone(_ timers: [RuleStateKey: Date?], isSettled: Bool) -> SQLQuery {
    let timers = timers.sorted { $0.key < $1.key }
    let keys = timers.map(\.key)
    return """
      UPDATE rule_states s SET timer_at = r.timer_at, is_unsettled = \(unescaped: isSettled ? "false" : "s.is_unsettled")
      FROM unnest(\(keys.map(\.user)), \(keys.map(\.rule)), \(keys.map(\.key)), \(timers.map(\.value)))
        AS r(user_id, rule, key, timer_at)
      WHERE s.user_id = r.user_id AND s.rule = r.rule AND s.key = r.key
      """
  }

  static func insert(_ notices: [Notice], until: Date) -> SQLQuery {
    let bodies = notices.map { String(decoding: $0.body, as: UTF8.self) }
    return """
      INSERT INTO rule_notices (id, body, claimed_until)
      SELECT DISTINCT ON (id) id, body, \(until) FROM unnest(\(notices.map(\.id)), \(bodies)) AS n(id, body) ORDER BY id
      ON CONFLICT DO NOTHING
      """
  }
}
