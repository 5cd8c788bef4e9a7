-- What in_app, push and email cannot say of a decision: until when a channel waits, and what was decided on channels that
-- came later. An object by channel code, {"2": {"code": -1, "until": "…"}, "4": {"code": 0}}; NULL on nearly every row.
-- Codes: 0 deliver, above 0 the reason for leaving the channel out, below 0 that for waiting. A nullable column without a
-- default is a change of the catalogue alone, however many rows there are.
ALTER TABLE notifications ADD COLUMN decisions jsonb;

-- Names of the hold codes (HoldReason in NotificationModel).
CREATE FUNCTION belfry_hold_reason(code int2) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['quietHours', 'paused', 'digest', 'throttled', 'unread'])[code]
$$;

-- As before, with channels that came later, and what waits: until when is part of the reason.
CREATE OR REPLACE VIEW delivery_log AS
  SELECT n.user_id, n.id AS notification_id, n.type, c.channel, '' AS target,
    CASE WHEN c.code > 0 THEN 'skipped' WHEN c.code < 0 THEN 'held' WHEN c.channel = 1 THEN 'delivered' ELSE 'pending' END
      AS outcome,
    CASE WHEN c.code < 0
      THEN concat_ws(' until ', belfry_hold_reason((-c.code)::int2), n.decisions -> c.channel::text ->> 'until')
      ELSE belfry_skip_reason(c.code) END AS reason,
    NULL::text AS provider_id, 0::int2 AS attempts, n.created_at AS at
  FROM notifications n
    CROSS JOIN LATERAL (
      VALUES (1::int2, n.in_app), (2::int2, n.push), (3::int2, n.email)
      UNION ALL
      SELECT key::int2, (value ->> 'code')::int2 FROM jsonb_each(n.decisions) WHERE key::int > 3
    ) AS c(channel, code)
  WHERE c.code <> 0 OR c.channel = 1 OR NOT EXISTS (
    SELECT FROM deliveries d WHERE d.user_id = n.user_id AND d.notification_id = n.id AND d.channel = c.channel)
  UNION ALL
  SELECT d.user_id, d.notification_id, n.type, d.channel, d.target,
    (ARRAY['delivered', 'rejected', 'exhausted', 'expired'])[d.outcome], d.reason, d.provider_id, d.attempts, d.finished_at
  FROM deliveries d LEFT JOIN notifications n ON n.user_id = d.user_id AND n.id = d.notification_id;
