-- What waits, in place of a table that nothing ever used.
DROP TABLE deferred;

-- One row per notification and channel that waits; what it says stays in notifications. A row goes when its channel was
-- told, or left out.
CREATE TABLE held (
  user_id uuid NOT NULL,
  notification_id uuid NOT NULL,
  channel int2 NOT NULL,
  due_at timestamptz NOT NULL,
  -- A hold code, as a positive number (belfry_hold_reason).
  reason int2 NOT NULL,
  type int2 NOT NULL,
  -- What shares a digest, and what is counted together; NULL where the type has no such thing.
  digest_key text,
  throttle_key text,
  collapse_key text,
  -- The notification that tells this one with others, once that is settled. Whoever finds it publishes it again.
  composed_in uuid,
  -- Until then it is somebody's who is at it, and this is also the claim's name: nobody else may settle it.
  claimed_until timestamptz,
  PRIMARY KEY (user_id, notification_id, channel)
) WITH (
  -- A claim changes each row once, and no index: with room in its page that stays heap-only.
  fillfactor = 50,
  -- Waves of rows come and go whole, so vacuum counts rows and not shares of them, does not spare itself, and leaves the file
  -- as long as the last wave made it.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_threshold = -1, vacuum_truncate = false
);
CREATE INDEX held_due ON held (due_at);

-- What a type's throttle let through. Upkeep removes what no throttle looks at any more.
CREATE TABLE throttle_uses (
  user_id uuid NOT NULL,
  type int2 NOT NULL,
  key text NOT NULL,
  notification_id uuid NOT NULL,
  used_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, notification_id)
);
CREATE INDEX throttle_uses_key ON throttle_uses (user_id, type, key, used_at);
CREATE INDEX throttle_uses_age ON throttle_uses USING brin (used_at);

-- With the reason of those that are told by another (SkipReason in NotificationModel).
CREATE OR REPLACE FUNCTION belfry_skip_reason(code int2) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['channelNotRequested', 'preferenceOff', 'notificationsOff', 'noActiveDevice', 'noEmailAddress',
    'emailSuppressed', 'expired', 'viewing', 'muted', 'quietHours', 'throttled', 'read', 'deleted', 'cancelled',
    'noProvider', 'paused', 'composed'])[code]
$$;
