-- Writes outcomes of deliveries down, and counts them.
--
-- Rows are written in the order of their keys, so that concurrent calls do not deadlock. A row remembers the outcome that it
-- replaces, so what was counted of it is taken back; one that the release before wrote was not counted. Nothing is written of
-- notifications whose user was erased since: whoever erases waits for statements that did not see the mark.
WITH recorded AS (
  INSERT INTO deliveries (user_id, notification_id, channel, target, outcome, reason, provider_id, attempts, type)
  SELECT DISTINCT ON (user_id, notification_id, channel, target)
    user_id, notification_id, channel, target, outcome, reason, provider_id, attempts, type
  FROM unnest(
    $user_ids, $notification_ids, $channels, $targets, $outcomes, $reasons, $provider_ids, $attempts, $types, $created_at
  ) WITH ORDINALITY
    AS r(user_id, notification_id, channel, target, outcome, reason, provider_id, attempts, type, created_at, position)
    LEFT JOIN LATERAL (
      SELECT true AS is_erased FROM erased_users e WHERE e.user_id = r.user_id AND e.erased_at >= r.created_at OFFSET 0
    ) e ON true
  WHERE e.is_erased IS NULL
  ORDER BY user_id, notification_id, channel, target, (outcome = {delivered}) DESC, position DESC
  ON CONFLICT (user_id, notification_id, channel, target) DO UPDATE SET
    outcome = excluded.outcome, reason = excluded.reason, provider_id = excluded.provider_id,
    attempts = excluded.attempts, finished_at = now(), type = coalesce(excluded.type, deliveries.type),
    former = CASE WHEN deliveries.type IS NOT NULL THEN deliveries.outcome END
  WHERE {replaceable}
  RETURNING notification_id, type, channel, outcome, former
), tallies AS MATERIALIZED (
  SELECT ($days::int4[])[width_bucket(notification_id, $first_ids::uuid[])] AS day, type, channel,
    count(*) FILTER (WHERE former IS NULL) AS sent, count(*) FILTER (WHERE outcome = {delivered}) AS delivered,
    count(*) FILTER (WHERE outcome <> {delivered}) - count(*) FILTER (WHERE former <> {delivered}) AS failed
  FROM recorded WHERE type IS NOT NULL GROUP BY 1, 2, 3
)
INSERT INTO stats (day, type, channel, slot, sent, delivered, failed)
SELECT date '1970-01-01' + day, type, channel, {slot}, sent, delivered, failed FROM tallies
WHERE sent <> 0 OR delivered <> 0 OR failed <> 0
ORDER BY day, type, channel
ON CONFLICT (day, type, channel, slot) DO UPDATE SET
  sent = stats.sent + excluded.sent, delivered = stats.delivered + excluded.delivered,
  failed = stats.failed + excluded.failed
