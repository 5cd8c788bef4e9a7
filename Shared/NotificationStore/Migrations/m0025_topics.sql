-- What became of pushes to topics of FCM, and to conditions over several: one row for each request. Nobody is named here, and no
-- text is kept.
CREATE TABLE topic_deliveries (
  request_id uuid PRIMARY KEY,
  -- `topic` or `condition`, and the text of it.
  audience text NOT NULL,
  target text NOT NULL,
  -- Code of the notification's type.
  type int2 NOT NULL,
  -- As with notifications.
  request_owner text,
  routed_at timestamptz NOT NULL,
  -- As with deliveries; NULL while there is no outcome.
  outcome int2,
  reason text,
  provider_id text,
  attempts int2 NOT NULL DEFAULT 0,
  finished_at timestamptz
);
CREATE INDEX topic_deliveries_age ON topic_deliveries (routed_at);
-- As deliveries_failed: what the delivery log looks for.
CREATE INDEX topic_deliveries_failed ON topic_deliveries (outcome, finished_at, request_id) WHERE outcome <> 1;
