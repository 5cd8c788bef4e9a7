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

-- Makes the weekly partitions (Monday to Monday, UTC) that cover a span of time; answers how many were new. Attaching a
-- table, unlike CREATE TABLE … PARTITION OF, lets readers and writers go on.
CREATE FUNCTION belfry_make_partitions(since timestamptz, until timestamptz) RETURNS int
LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  week timestamptz := date_trunc('week', since);
  parent text;
  child text;
  made int := 0;
BEGIN
  WHILE week <= until LOOP
    FOREACH parent IN ARRAY ARRAY['notifications', 'deliveries'] LOOP
      child := parent || '_' || to_char(week, 'YYYYMMDD');
      IF to_regclass(child) IS NULL THEN
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING COMPRESSION)',
          child, parent);
        IF parent = 'notifications' THEN
          EXECUTE format('ALTER TABLE %I SET (fillfactor = 90)', child);
        END IF;
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
          parent, child, belfry_uuid_at(week), belfry_uuid_at(week + interval '7 days'));
        made := made + 1;
      END IF;
    END LOOP;
    week := week + interval '7 days';
  END LOOP;
  RETURN made;
END $$;

-- The partitions whose every row is older than an instant, and those that were being removed when somebody died.
CREATE FUNCTION belfry_old_partitions(before timestamptz)
RETURNS TABLE (name text, parent text, is_attached boolean, is_detaching boolean)
LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT c.relname, split_part(c.relname, '_', 1), i.inhrelid IS NOT NULL, coalesce(i.inhdetachpending, false)
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    AND c.relname ~ '^(notifications|deliveries)_[0-9]{8}$'
    AND (i.inhrelid IS NULL OR i.inhdetachpending
      OR to_date(right(c.relname, 8), 'YYYYMMDD')::timestamptz + interval '7 days' <= before)
  ORDER BY c.relname
$$;

-- Takes the notifications of a detached partition out of it and out of the inboxes that counted them, for the next `users`
-- users after `after`; answers the last of them, or NULL when the partition is empty. Some users at a time, because their
-- inboxes are locked meanwhile.
CREATE FUNCTION belfry_empty_partition(child text, after uuid, users int) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  last uuid;
BEGIN
  EXECUTE format($sql$
    SELECT user_id FROM (
      SELECT DISTINCT user_id FROM %I WHERE $1 IS NULL OR user_id > $1 ORDER BY user_id LIMIT $2) u
    ORDER BY user_id DESC LIMIT 1
  $sql$, child) INTO last USING after, users;
  IF last IS NULL THEN
    RETURN NULL;
  END IF;
  EXECUTE format($sql$
    SELECT FROM inbox b JOIN (SELECT DISTINCT user_id FROM %I WHERE ($1 IS NULL OR user_id > $1) AND user_id <= $2) u
      USING (user_id)
    ORDER BY b.user_id FOR UPDATE OF b
  $sql$, child) USING after, last;
  EXECUTE format($sql$
    WITH gone AS (
      DELETE FROM %I WHERE ($1 IS NULL OR user_id > $1) AND user_id <= $2 RETURNING user_id, in_app, read_at
    ), counted AS (
      SELECT user_id, count(*) AS total, count(*) FILTER (WHERE read_at IS NULL) AS unread
      FROM gone WHERE in_app = 0 GROUP BY user_id
    )
    UPDATE inbox b SET total = greatest(0, b.total - c.total), unread = greatest(0, b.unread - c.unread)
    FROM counted c WHERE b.user_id = c.user_id
  $sql$, child) USING after, last;
  RETURN last;
END $$;

-- Names of the skip codes (SkipReason in NotificationModel).
CREATE FUNCTION belfry_skip_reason(code int2) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['channelNotRequested', 'preferenceOff', 'notificationsOff', 'noActiveDevice', 'noEmailAddress',
    'emailSuppressed', 'expired'])[code]
$$;

-- What happened to every notification on every channel and target, for operators. Pending: no outcome yet.
CREATE VIEW delivery_log AS
  SELECT n.user_id, n.id AS notification_id, n.type, c.channel, '' AS target,
    CASE WHEN c.code <> 0 THEN 'skipped' WHEN c.channel = 1 THEN 'delivered' ELSE 'pending' END AS outcome,
    belfry_skip_reason(c.code) AS reason, NULL::text AS provider_id, 0::int2 AS attempts, n.created_at AS at
  FROM notifications n
    CROSS JOIN LATERAL (VALUES (1::int2, n.in_app), (2::int2, n.push), (3::int2, n.email)) AS c(channel, code)
  WHERE c.code <> 0 OR c.channel = 1 OR NOT EXISTS (
    SELECT FROM deliveries d WHERE d.user_id = n.user_id AND d.notification_id = n.id AND d.channel = c.channel)
  UNION ALL
  SELECT d.user_id, d.notification_id, n.type, d.channel, d.target,
    (ARRAY['delivered', 'rejected', 'exhausted', 'expired'])[d.outcome], d.reason, d.provider_id, d.attempts, d.finished_at
  FROM deliveries d LEFT JOIN notifications n ON n.user_id = d.user_id AND n.id = d.notification_id;

SELECT belfry_make_partitions(now() - interval '35 days', now() + interval '28 days');
