-- Sends that wait and schedules are claimed each by themselves: neither reads past the other's rows that are due. Apart from the
-- columns that came before, for whoever reads need not wait for an index. `schedules_next` is for routers of the release before.
CREATE INDEX schedules_sends ON schedules (next_at) WHERE key IS NULL AND next_at IS NOT NULL;
CREATE INDEX schedules_plans ON schedules (next_at) WHERE key IS NOT NULL AND next_at IS NOT NULL;
