-- What is known of the dates of a schedule's rule: a COUNT's last date, how far a long search has come. JSON that says of which
-- rule it is; nothing here looks into it, and what is of another rule counts for nothing. NULL is nothing, and what services of
-- the release before write leaves it as it is.
ALTER TABLE schedules ADD COLUMN plan text;

-- Sends that wait are claimed by themselves: they never stand behind schedules that are being planned.
CREATE INDEX schedules_sends ON schedules (next_at) WHERE key IS NULL;
