import NotificationModel
import Postgres

extension ExportPart {
  /// `rule_states`: what rules remember. A state keeps of events what its rule needs, so fewer of them come at once.
  static let ruleStates = ExportPart(
    "ruleStates",
    of: "rule_states",
    leftOut: [
      "is_unsettled"  // whether it is about to be looked at
    ],
    perPage: 100
  ) { user, after, limit in
    """
    SELECT rule, key, state, timer_at, day, disposable_from FROM rule_states
    WHERE user_id = \(user)
      AND (rule, key) > (\(try after?.get("rule", as: String.self) ?? ""), \(try after?.get("key", as: String.self) ?? ""))
    ORDER BY rule, key LIMIT \(limit)
    """
  } write: { fields in
    try fields.text("rule", "rule")
    try fields.text("key", "key")
    try fields.json("state", "state")
    try fields.time("timerAt", "timer_at")
    try fields.integer("day", "day")
    try fields.time("disposableFrom", "disposable_from")
  }
}
