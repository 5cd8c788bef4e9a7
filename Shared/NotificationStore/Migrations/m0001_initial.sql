-- Every per-user table leads with user_id, so that it can be sharded by it. There are no foreign keys between them: a user
-- may receive notifications before a profile exists, and shards could not check them.

-- The smallest UUIDv7 of an instant: partitions by id are partitions by time.
CREATE FUNCTION belfry_uuid_at(instant timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

CREATE TABLE users (
  user_id uuid PRIMARY KEY,
  email text,
  -- 0 usable, 1 bounced, 2 unsubscribed
  email_status int2 NOT NULL DEFAULT 0,
  display_name text,
  locale text,
  timezone text,
  quiet_hours_enabled boolean NOT NULL DEFAULT false,
  quiet_hours_start time,
  quiet_hours_end time,
  -- The master switch.
  enabled boolean NOT NULL DEFAULT true,
  -- The coarse settings of older apps: low-balance threshold, sound, badge.
  settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE group_members (
  group_id text NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (group_id, user_id)
);

-- Absence of a row means the catalogue's default.
CREATE TABLE preferences (
  user_id uuid NOT NULL,
  type int2 NOT NULL,
  in_app boolean NOT NULL,
  push boolean NOT NULL,
  email boolean NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, type)
);

CREATE TABLE devices (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  token text NOT NULL UNIQUE,
  platform int2 NOT NULL,
  name text,
  app_version text,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  deactivated_at timestamptz,
  deactivation_reason text,
  PRIMARY KEY (user_id, id)
);

-- No other index: reads go by (user_id, id), and an update of read_at stays heap-only (PostgreSQL loses that when an update
-- touches an indexed column, partial-index predicates included).
CREATE TABLE notifications (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  request_id uuid NOT NULL,
  type int2 NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  data jsonb,
  related_type text,
  related_id text,
  -- The decision per channel: 0 is deliver, anything else the code of the reason for leaving it out. Rows with in_app <> 0
  -- are in the delivery log but not in the inbox.
  in_app int2 NOT NULL,
  push int2 NOT NULL,
  email int2 NOT NULL,
  -- The row's place in the user's inbox: grows by one per notification.
  seq int8 NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  read_at timestamptz,
  opened_at timestamptz,
  PRIMARY KEY (user_id, id)
) PARTITION BY RANGE (id);

-- One row per user; changes in the transaction that changes notifications. The space left in each page keeps updates
-- heap-only.
CREATE TABLE inbox (
  user_id uuid PRIMARY KEY,
  unread int4 NOT NULL DEFAULT 0,
  total int4 NOT NULL DEFAULT 0,
  seq int8 NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- A row exists once there is an outcome: 1 delivered, 2 rejected, 3 exhausted, 4 expired.
CREATE TABLE deliveries (
  user_id uuid NOT NULL,
  notification_id uuid NOT NULL,
  channel int2 NOT NULL,
  -- Device id, or mail address.
  target text NOT NULL,
  outcome int2 NOT NULL,
  reason text,
  provider_id text,
  attempts int2 NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, notification_id, channel, target)
) PARTITION BY RANGE (notification_id);

CREATE TABLE deferred (
  user_id uuid NOT NULL,
  notification_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  request jsonb NOT NULL,
  PRIMARY KEY (user_id, notification_id)
);
CREATE INDEX deferred_due ON deferred (due_at);

CREATE TABLE schedules (
  key text PRIMARY KEY,
  request jsonb NOT NULL,
  recurrence jsonb,
  next_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX schedules_next ON schedules (next_at);

-- scope: who chose the key. confirmed: the broker has confirmed the request, so a repetition need not publish again.
CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key text NOT NULL,
  request_id uuid NOT NULL,
  body_hash bytea NOT NULL,
  confirmed boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING brin (created_at);

CREATE UNLOGGED TABLE presence (
  user_id uuid NOT NULL,
  connection_id text NOT NULL,
  entity_type text,
  entity_id text,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, connection_id)
);

CREATE TABLE engagement (
  user_id uuid NOT NULL,
  notification_id uuid NOT NULL,
  action text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, notification_id, action)
);

-- Makes the weekly partitions (Monday to Monday, UTC) that cover a span of time; answers how many were new.
CREATE FUNCTION belfry_make_partitions(since timestamptz, until timestamptz) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  week timestamptz := date_trunc('week', since, 'UTC');
  parent text;
  child text;
  made int := 0;
BEGIN
  WHILE week <= until LOOP
    FOREACH parent IN ARRAY ARRAY['notifications', 'deliveries'] LOOP
      child := parent || '_' || to_char(week AT TIME ZONE 'UTC', 'YYYYMMDD');
      IF to_regclass(child) IS NULL THEN
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
          child, parent, belfry_uuid_at(week), belfry_uuid_at(week + interval '7 days'));
        IF parent = 'notifications' THEN
          EXECUTE format('ALTER TABLE %I SET (fillfactor = 90)', child);
        END IF;
        made := made + 1;
      END IF;
    END LOOP;
    week := week + interval '7 days';
  END LOOP;
  RETURN made;
END $$;

-- Drops the partitions whose every row is older than an instant, and takes what they counted out of the inboxes; answers
-- how many were dropped.
CREATE FUNCTION belfry_drop_partitions(before timestamptz) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  child record;
  dropped int := 0;
BEGIN
  FOR child IN
    SELECT c.relname, p.relname AS parent
    FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
      JOIN pg_class p ON p.oid = i.inhparent
    WHERE p.relname IN ('notifications', 'deliveries') AND p.relnamespace = 'public'::regnamespace
      AND to_timestamp(right(c.relname, 8) || ' UTC', 'YYYYMMDD TZ') + interval '7 days' <= before
    ORDER BY c.relname
  LOOP
    IF child.parent = 'notifications' THEN
      EXECUTE format($sql$
        WITH gone AS (
          SELECT user_id, count(*) AS total, count(*) FILTER (WHERE read_at IS NULL) AS unread
          FROM %I WHERE in_app = 0 GROUP BY user_id ORDER BY user_id
        ), locked AS (
          SELECT user_id FROM inbox WHERE user_id IN (SELECT user_id FROM gone) ORDER BY user_id FOR UPDATE
        )
        UPDATE inbox b SET total = greatest(0, b.total - g.total), unread = greatest(0, b.unread - g.unread)
        FROM gone g JOIN locked USING (user_id) WHERE b.user_id = g.user_id
      $sql$, child.relname);
    END IF;
    EXECUTE format('DROP TABLE %I', child.relname);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

-- What happened to every notification on every channel and target, for operators.
CREATE VIEW delivery_log AS
  SELECT n.user_id, n.id AS notification_id, n.type, 1::int2 AS channel, '' AS target,
    CASE WHEN n.in_app = 0 THEN 'delivered' ELSE 'skipped' END AS outcome, n.in_app AS skip_code, NULL::text AS reason,
    NULL::text AS provider_id, 1::int2 AS attempts, n.created_at AS at
  FROM notifications n
  UNION ALL
  SELECT n.user_id, n.id, n.type, c.channel, '', 'skipped', c.code, NULL, NULL, 0, n.created_at
  FROM notifications n CROSS JOIN LATERAL (VALUES (2::int2, n.push), (3::int2, n.email)) AS c(channel, code)
  WHERE c.code <> 0
  UNION ALL
  SELECT d.user_id, d.notification_id, n.type, d.channel, d.target,
    (ARRAY['delivered', 'rejected', 'exhausted', 'expired'])[d.outcome], 0::int2, d.reason, d.provider_id, d.attempts,
    d.finished_at
  FROM deliveries d LEFT JOIN notifications n ON n.user_id = d.user_id AND n.id = d.notification_id;

SELECT belfry_make_partitions(now() - interval '35 days', now() + interval '28 days');
