-- As before, with outcome 5: the provider had all of it and did not answer before the dispatcher stopped.
CREATE OR REPLACE VIEW delivery_log AS
  SELECT n.user_id, n.id AS notification_id, n.type, c.channel, '' AS target,
    CASE WHEN c.channel = 1 AND c.code IN (0, 13, 18, 19, 20) THEN 'delivered'
      WHEN c.code > 0 THEN 'skipped' WHEN c.code < 0 THEN 'held' ELSE 'pending' END AS outcome,
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
    (ARRAY['delivered', 'rejected', 'exhausted', 'expired', 'uncertain'])[d.outcome], d.reason, d.provider_id, d.attempts,
    d.finished_at
  FROM deliveries d LEFT JOIN notifications n ON n.user_id = d.user_id AND n.id = d.notification_id;
