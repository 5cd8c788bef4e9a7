-- Counts what throttles let through, and answers who has to wait for room.
--
-- Of each throttle's latest uses, as many as it allows: their oldest is the first to make room. What was counted before keeps its place.
WITH input AS (
  SELECT * FROM unnest(
    $user_ids, $notification_ids, $types, $keys, $at_most, $seconds
  ) WITH ORDINALITY AS i(user_id, notification_id, type, key, at_most, per, position)
), known AS (
  SELECT i.*, u.count, u.oldest, c.notification_id IS NOT NULL AS is_counted
  FROM input i
    CROSS JOIN LATERAL (
      SELECT count(*) AS count, min(used_at) AS oldest FROM (
        SELECT used_at FROM throttle_uses
        WHERE user_id = i.user_id AND type = i.type AND key = i.key
          AND used_at > $now::timestamptz - make_interval(secs => i.per)
        ORDER BY used_at DESC LIMIT i.at_most
      ) latest
    ) u
    LEFT JOIN LATERAL (
      SELECT notification_id FROM throttle_uses
      WHERE user_id = i.user_id AND notification_id = i.notification_id OFFSET 0
    ) c ON true
), placed AS (
  SELECT *, is_counted
    OR count + count(*) FILTER (WHERE NOT is_counted) OVER (PARTITION BY user_id, type, key ORDER BY position) <= at_most
    AS is_granted
  FROM known
), counted AS (
  INSERT INTO throttle_uses (user_id, type, key, notification_id, used_at)
  SELECT user_id, type, key, notification_id, $now FROM placed WHERE is_granted AND NOT is_counted
)
SELECT NOT is_counted, CASE WHEN NOT is_granted THEN coalesce(oldest, $now) + make_interval(secs => per) END
FROM placed ORDER BY position
