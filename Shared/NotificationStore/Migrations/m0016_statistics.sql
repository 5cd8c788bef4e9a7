-- All changes of the catalogue alone.
ALTER TABLE deliveries
  -- The outcome that the last one replaced: with it, whoever records an outcome knows what to take back from the counts.
  ADD COLUMN former int2,
  -- Of the notification, for the counts; NULL on what is not counted: it was recorded by the release before.
  ADD COLUMN type int2;

-- What was sent and what came of it, per day (UTC, of the notification's id), type and channel; type 0 is none. Channel 0 is
-- the notification, whatever it was told on: `delivered` are those that came into an inbox, so routers write one row and not
-- two, and channel 1 has no more than `unsubscribed` of its own. The slot is the writer's process number in the database and a quarter of an hour, so
-- that no two connections ever wait for each other's row; the sum over slots is the count. Slots of days long gone are folded
-- into slot 0 (decision 0047).
CREATE TABLE stats (
  day date NOT NULL,
  type int2 NOT NULL,
  channel int2 NOT NULL,
  slot int4 NOT NULL,
  sent int8 NOT NULL DEFAULT 0,
  delivered int8 NOT NULL DEFAULT 0,
  failed int8 NOT NULL DEFAULT 0,
  opened int8 NOT NULL DEFAULT 0,
  acted int8 NOT NULL DEFAULT 0,
  unsubscribed int8 NOT NULL DEFAULT 0,
  -- Of devices: their users' answers to the system's question.
  asked int8 NOT NULL DEFAULT 0,
  granted int8 NOT NULL DEFAULT 0,
  denied int8 NOT NULL DEFAULT 0,
  PRIMARY KEY (day, type, channel, slot)
) WITH (fillfactor = 50);

-- What failed, the newest first. Few rows of many; building it reads every partition once, while outcomes wait, but for those
-- that have such an index already.
CREATE INDEX deliveries_failed ON deliveries (outcome, finished_at, user_id, notification_id, channel, target)
WHERE outcome <> 1;
