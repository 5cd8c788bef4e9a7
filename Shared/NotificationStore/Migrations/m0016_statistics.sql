-- The outcome that the last one replaced: with it, whoever records an outcome knows what to take back from the counts. Changes
-- of the catalogue alone.
ALTER TABLE deliveries ADD COLUMN former int2;

-- What was sent and what came of it, per day (UTC, of the notification's id), type and channel; channel 0 is the notification,
-- whatever it was told on. Several slots, so that routers do not wait for each other's row; their sum is the count. Slots of
-- days long gone are folded into slot 0.
CREATE TABLE stats (
  day date NOT NULL,
  type int2 NOT NULL,
  channel int2 NOT NULL,
  slot int2 NOT NULL,
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
CREATE INDEX deliveries_failed ON deliveries (outcome, finished_at, user_id, notification_id) WHERE outcome <> 1;
