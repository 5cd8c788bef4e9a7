-- Archived, snoozed, deleted and withdrawn are codes of in_app (SkipReason 18, 19, 13, 20): whoever reads the inbox filters
-- `in_app = 0`, those of the release before too, so that neither shows nor counts what is not there (decision 0040). The row
-- stays, and with it the knowledge that the notification was told.

-- In the order in which routers lock, so that neither waits for the other for ever. All changes of the catalogue alone.
LOCK TABLE inbox, notifications IN ACCESS EXCLUSIVE MODE;

ALTER TABLE notifications
  -- When its recipient first saw it; reading it is seeing it. NULL on what was read before this column was.
  ADD COLUMN seen_at timestamptz,
  -- For people to read: what counts is the code.
  ADD COLUMN archived_at timestamptz,
  -- Until when it stays away; `snoozes` has the same for who wakes it.
  ADD COLUMN snoozed_until timestamptz;

ALTER TABLE inbox
  -- Of the unread ones those that were seen. Zero is right for all that is stored, and an insert leaves it right. Reading by
  -- the release before leaves it too high, until all is seen or read the next time (decision 0043).
  ADD COLUMN seen_unread int4 NOT NULL DEFAULT 0,
  -- The last of inbox_changes; `seq` counts notifications and nothing else (decision 0041).
  ADD COLUMN change int8 NOT NULL DEFAULT 0,
  -- Up to which changes are not known one by one: the highest number, and the highest after_seq, of those that are gone.
  ADD COLUMN lost_change int8 NOT NULL DEFAULT 0,
  ADD COLUMN lost_seq int8 NOT NULL DEFAULT -1;

-- What became of notifications after they were told, the newest 500 of a user. Rows are only inserted and deleted.
CREATE TABLE inbox_changes (
  user_id uuid NOT NULL,
  -- Counts from 1 for each user, without gaps when written.
  change int8 NOT NULL,
  -- The inbox's seq at that moment: who knew less gets the notification itself, as it is by then.
  after_seq int8 NOT NULL,
  notification_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, change)
);

-- What comes back at its time; the notification's code says whether it is still to.
CREATE TABLE snoozes (
  user_id uuid NOT NULL,
  notification_id uuid NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (user_id, notification_id)
);
CREATE INDEX snoozes_until ON snoozes (until);

-- With the reasons that came (SkipReason in NotificationModel).
CREATE OR REPLACE FUNCTION belfry_skip_reason(code int2) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['channelNotRequested', 'preferenceOff', 'notificationsOff', 'noActiveDevice', 'noEmailAddress',
    'emailSuppressed', 'expired', 'viewing', 'muted', 'quietHours', 'throttled', 'read', 'deleted', 'cancelled',
    'noProvider', 'paused', 'composed', 'archived', 'snoozed', 'withdrawn'])[code]
$$;

-- As before, with what was in the inbox and is not any more: delivered, and why it is gone.
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
    (ARRAY['delivered', 'rejected', 'exhausted', 'expired'])[d.outcome], d.reason, d.provider_id, d.attempts, d.finished_at
  FROM deliveries d LEFT JOIN notifications n ON n.user_id = d.user_id AND n.id = d.notification_id;

-- As before, with the count of the unread ones that were seen. A partition that was detached before this file has no such
-- column, and nothing in it was seen.
CREATE OR REPLACE FUNCTION belfry_empty_partition(child text, after uuid, users int) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  last uuid;
  was_seen text := 'false';
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
  IF EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = to_regclass(quote_ident(child)) AND attname = 'seen_at' AND NOT attisdropped
  ) THEN
    was_seen := 'seen_at IS NOT NULL';
  END IF;
  EXECUTE format($sql$
    WITH gone AS (
      DELETE FROM %I WHERE ($1 IS NULL OR user_id > $1) AND user_id <= $2
      RETURNING user_id, in_app, read_at IS NULL AS is_unread, %s AS was_seen
    ), counted AS (
      SELECT user_id, count(*) AS total, count(*) FILTER (WHERE is_unread) AS unread,
        count(*) FILTER (WHERE is_unread AND was_seen) AS seen_unread
      FROM gone WHERE in_app = 0 GROUP BY user_id
    )
    UPDATE inbox b SET total = greatest(0, b.total - c.total), unread = greatest(0, b.unread - c.unread),
      seen_unread = greatest(0, b.seen_unread - c.seen_unread)
    FROM counted c WHERE b.user_id = c.user_id
  $sql$, child, was_seen) USING after, last;
  RETURN last;
END $$;
