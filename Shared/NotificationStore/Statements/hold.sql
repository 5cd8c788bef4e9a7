-- Puts what waits into `held`.
--
-- By the decision that is stored, so a repetition changes no due time and brings back nothing that was sent. Of two that would open
-- a digest's window, the second, who had to wait for the lock on the inbox, joins the first's. What was decided by settings that are
-- others by now, or are being changed in this moment, is due at once.
INSERT INTO held (user_id, notification_id, channel, due_at, reason, type, digest_key, throttle_key, collapse_key)
SELECT i.user_id, i.id, i.channel,
  CASE WHEN n.code = -{digest}::int2 THEN coalesce(w.until, n.until)
    WHEN u.settings_revision <> i.settings_revision THEN coalesce(i.decided_at, n.until) ELSE n.until END,
  -n.code, i.type, i.digest_key, i.throttle_key, i.collapse_key
FROM unnest(
  $user_ids, $ids, $channels, $types, $digest_keys, $throttle_keys, $collapse_keys, $decided_at, $settings_revisions
) AS i(user_id, id, channel, type, digest_key, throttle_key, collapse_key, decided_at, settings_revision)
  CROSS JOIN LATERAL (
    SELECT {code} AS code, (d.decisions -> i.channel::text ->> 'until')::timestamptz AS until
    FROM notifications d WHERE user_id = i.user_id AND id = i.id OFFSET 0
  ) n
  LEFT JOIN LATERAL (
    SELECT min(due_at) AS until FROM (
      SELECT due_at FROM held
      WHERE user_id = i.user_id AND channel = i.channel AND type = i.type AND digest_key = i.digest_key
        AND reason = {digest} OFFSET 0
    ) held WHERE due_at > i.decided_at
  ) w ON true
  LEFT JOIN LATERAL (SELECT settings_revision FROM users WHERE user_id = i.user_id FOR SHARE) u ON true
WHERE n.code < 0
ON CONFLICT DO NOTHING
