-- What is known of the dates of a schedule's rule: a COUNT's last date, how far a long search has come. JSON that says of which
-- rule it is; nothing here looks into it, and what is of another rule counts for nothing. NULL is nothing, and what services of
-- the release before write leaves it as it is.
ALTER TABLE schedules ADD COLUMN plan text;

-- Requests that were withdrawn, each by whom: an entry withdraws what turns out to be its owner's, so nobody stands in another's
-- way. The empty text is whoever's it is: an admin asked.
CREATE TABLE withdrawals (
  request_id uuid NOT NULL,
  owner text NOT NULL,
  withdrawn_at timestamptz NOT NULL,
  PRIMARY KEY (request_id, owner)
);
CREATE INDEX withdrawals_age ON withdrawals (withdrawn_at);

-- What gateways of the release before still note, until they are replaced. Gateways write that table, too, for routers of the release
-- before.
CREATE FUNCTION belfry_note_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO withdrawals VALUES (NEW.request_id, coalesce(NEW.owner, ''), NEW.cancelled_at) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER cancelled_requests_noted AFTER INSERT OR UPDATE ON cancelled_requests
  FOR EACH ROW EXECUTE FUNCTION belfry_note_withdrawal();
-- Behind the trigger, which waits for who is writing: nothing falls in between.
INSERT INTO withdrawals SELECT request_id, coalesce(owner, ''), cancelled_at FROM cancelled_requests ON CONFLICT DO NOTHING;

-- Requests that a router came to and that were for nobody, as to a group that has no members: nothing else is stored of them.
CREATE TABLE requests_for_nobody (
  request_id uuid PRIMARY KEY,
  -- As with notifications.
  request_owner text,
  routed_at timestamptz NOT NULL
);
CREATE INDEX requests_for_nobody_age ON requests_for_nobody (routed_at);
