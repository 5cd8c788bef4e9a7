-- Which in-app nodes live. Unlogged, as presence is: both are facts about open connections.
CREATE UNLOGGED TABLE nodes (
  node text PRIMARY KEY,
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- A row is what the user of one connection looks at; it counts while the connection's node is seen. One time per node and
-- not per row: a node then writes one row every few seconds, however many connections it holds.
TRUNCATE presence;
ALTER TABLE presence
  ADD COLUMN node text NOT NULL,
  ALTER COLUMN entity_type SET NOT NULL,
  ALTER COLUMN entity_id SET NOT NULL,
  DROP COLUMN seen_at;
CREATE INDEX presence_node ON presence (node);

CREATE OR REPLACE FUNCTION belfry_skip_reason(code int2) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['channelNotRequested', 'preferenceOff', 'notificationsOff', 'noActiveDevice', 'noEmailAddress',
    'emailSuppressed', 'expired', 'viewing'])[code]
$$;
