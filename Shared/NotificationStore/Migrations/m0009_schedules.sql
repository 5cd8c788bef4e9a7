-- The table of the first schema was never used.
DROP TABLE schedules;

-- What is to be told later: sends with an instant (without a key, under their request's id), and schedules. One row each,
-- whatever the number of zones in which an occurrence comes at different times.
CREATE TABLE schedules (
  id uuid PRIMARY KEY,
  -- The subject of the token, or the sender's scope.
  owner text NOT NULL,
  key text,
  -- JSON as its owner wrote it; nothing here looks into it.
  definition text NOT NULL,
  -- Of a recurrence that names no start.
  starts_on date NOT NULL,
  -- Grows with each change by its owner.
  version int8 NOT NULL DEFAULT 1,
  -- When to look at it: an occurrence may have come in some zone. A claim moves it to its own end, so what a router leaves
  -- behind is due again. NULL: nothing comes any more.
  next_at timestamptz,
  -- Everything up to it was told, or was too late.
  done_until timestamptz NOT NULL,
  -- When a send with an instant was first claimed: from here on it cannot be cancelled.
  released_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX schedules_next ON schedules (next_at) WHERE next_at IS NOT NULL;
CREATE UNIQUE INDEX schedules_key ON schedules (owner, key) WHERE key IS NOT NULL;

-- Requests that were withdrawn. Read where something waited, never on the way of a send that is told at once.
CREATE TABLE cancelled_requests (
  request_id uuid PRIMARY KEY,
  cancelled_at timestamptz NOT NULL
);

-- Which zones are in use, without reading everybody.
CREATE INDEX users_timezone ON users (timezone);
