-- Settings of a user beside those that have a column already. settings (jsonb) holds soundEnabled, badgeEnabled and
-- lowBalanceThreshold. settings_revision grows with every change of quiet hours, zone, pause or master switch: who decided by
-- an older one can tell. Columns with a constant default are a change of the catalogue alone.
ALTER TABLE users
  ADD COLUMN paused_until timestamptz,
  ADD COLUMN settings_revision int8 NOT NULL DEFAULT 0;

-- Which of a row's channels were chosen: bit 0 in-app, 1 push, 2 email. The others hold what held when it was written, for
-- routers of before, which take the row as a whole. What gateways of before write was chosen as a whole.
ALTER TABLE preferences ADD COLUMN chosen int2 NOT NULL DEFAULT 7;

-- They update rows and know nothing of chosen. Gateways of this release delete and insert.
CREATE FUNCTION belfry_preference_chosen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.chosen := 7;
  RETURN NEW;
END $$;
CREATE TRIGGER preferences_chosen BEFORE UPDATE ON preferences
FOR EACH ROW EXECUTE FUNCTION belfry_preference_chosen();

-- NULL where nothing was chosen. A type's own choice comes before it, the catalogue's default after it.
CREATE TABLE category_preferences (
  user_id uuid NOT NULL,
  category text NOT NULL,
  in_app boolean,
  push boolean,
  email boolean,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, category)
);

-- What notifications are about and their user does not want to be disturbed by; both names in lower case. NULL is for good.
CREATE TABLE mutes (
  user_id uuid NOT NULL,
  entity_type text NOT NULL,
  entity_id text NOT NULL,
  until timestamptz,
  PRIMARY KEY (user_id, entity_type, entity_id)
);
