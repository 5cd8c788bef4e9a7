-- Takes notifications out of inboxes.
--
-- Only what was in the inbox moves the counters. What became of each is noted for those who were away, of whom the newest
-- InboxStore.maximumChanges are kept (decision 0041). What was snoozed is not woken: by its place, so that no plan joins with all of
-- a table which was thought empty.
WITH gone AS (
  UPDATE notifications n SET in_app = {withdrawn}
  FROM (
    SELECT k.user_id, k.id, f.in_app AS former
    FROM unnest($user_ids, $ids) AS k(user_id, id)
      CROSS JOIN LATERAL (
        SELECT in_app FROM notifications
        WHERE user_id = k.user_id AND id = k.id AND in_app IN {kept} OFFSET 0
      ) f
  ) k
  WHERE n.user_id = k.user_id AND n.id = k.id
  RETURNING n.user_id, n.id, k.former, n.read_at IS NULL AS is_unread, n.seen_at IS NOT NULL AS was_seen
), counted AS (
  SELECT user_id, count(*) AS changes, count(*) FILTER (WHERE former = {inbox}) AS total,
    count(*) FILTER (WHERE former = {inbox} AND is_unread) AS unread,
    count(*) FILTER (WHERE former = {inbox} AND is_unread AND was_seen) AS seen_unread
  FROM gone GROUP BY user_id
), boxes AS (
  UPDATE inbox b SET total = greatest(0, b.total - c.total), unread = greatest(0, b.unread - c.unread),
    seen_unread = greatest(0, b.seen_unread - c.seen_unread), change = b.change + c.changes,
    lost_change = greatest(b.lost_change, b.change + c.changes - {maximum_changes}),
    lost_seq = greatest(b.lost_seq, (
      SELECT after_seq FROM inbox_changes
      WHERE user_id = b.user_id AND change = b.change + c.changes - {maximum_changes}))
  FROM counted c WHERE b.user_id = c.user_id
  RETURNING b.user_id, b.unread, b.seq, b.change, c.changes
), noted AS (
  INSERT INTO inbox_changes (user_id, change, after_seq, notification_id)
  SELECT g.user_id, b.change - b.changes + row_number() OVER (PARTITION BY g.user_id ORDER BY g.id), b.seq, g.id
  FROM gone g JOIN boxes b ON b.user_id = g.user_id
), dropped AS (
  DELETE FROM inbox_changes c USING boxes b
  WHERE c.user_id = b.user_id AND c.change <= b.change - {maximum_changes}
), asleep AS MATERIALIZED (
  SELECT s.place FROM gone g
    CROSS JOIN LATERAL (
      SELECT ctid AS place FROM snoozes WHERE user_id = g.user_id AND notification_id = g.id OFFSET 0
    ) s
  WHERE g.former = {snoozed}
), woken AS (
  DELETE FROM snoozes s USING asleep a WHERE s.ctid = a.place
)
SELECT g.user_id, g.id, b.unread FROM gone g JOIN boxes b ON b.user_id = g.user_id
