import Postgres

extension MaintenanceStep {
  /// What connections counted of days that are nearly over for good becomes one row of each count. Opening an old notification
  /// still adds a row; the next run folds it.
  static let statistics = Self { session, _, _ in
    _ = try await session.transaction([PlannerHints.alongIndexes.statement, StatStore.fold, StatStore.forget])
  }
}

extension StatStore {
  /// In one statement, so that rows are taken in the order in which all take them and nobody waits for ever. What changes in this
  /// moment is left for the next time; who adds to a row that is being folded waits, finds it gone, and makes a new one.
  static let fold: SQLQuery = """
    WITH old AS MATERIALIZED (
      SELECT ctid AS place FROM stats WHERE day < (now() AT TIME ZONE 'UTC')::date - 2 AND slot <> 0
      ORDER BY day, type, channel, slot FOR UPDATE
    ), gone AS (
      DELETE FROM stats WHERE ctid = ANY (ARRAY(SELECT place FROM old))
      RETURNING day, type, channel, sent, delivered, failed, displayed, opened, acted, unsubscribed, asked, granted, denied
    )
    INSERT INTO stats (day, type, channel, slot, sent, delivered, failed, displayed, opened, acted, unsubscribed, asked,
      granted, denied)
    SELECT day, type, channel, 0, sum(sent)::int8, sum(delivered)::int8, sum(failed)::int8, sum(displayed)::int8,
      sum(opened)::int8, sum(acted)::int8, sum(unsubscribed)::int8, sum(asked)::int8, sum(granted)::int8, sum(denied)::int8
    FROM gone
    GROUP BY day, type, channel
    ORDER BY day, type, channel
    ON CONFLICT (day, type, channel, slot) DO UPDATE SET
      sent = stats.sent + excluded.sent, delivered = stats.delivered + excluded.delivered,
      failed = stats.failed + excluded.failed, displayed = stats.displayed + excluded.displayed,
      opened = stats.opened + excluded.opened, acted = stats.acted + excluded.acted, unsubscribed = stats.unsubscribed + excluded.unsubscribed,
      asked = stats.asked + excluded.asked, granted = stats.granted + excluded.granted,
      denied = stats.denied + excluded.denied
    """

  static let forget: SQLQuery = "DELETE FROM stats WHERE day < (now() AT TIME ZONE 'UTC')::date - 800"
}
