-- Users who were erased, and when: what was told to them before that moment is dropped wherever it still is on its way
-- (decision 0044). A user who comes again is a new one, so only times are compared.
CREATE TABLE erased_users (
  user_id uuid PRIMARY KEY,
  erased_at timestamptz NOT NULL
);
-- Dispatchers ask what is new.
CREATE INDEX erased_users_at ON erased_users (erased_at);

-- Whom sends with an instant and schedules name, so that they are found by it; kept by a trigger, so that gateways of the
-- release before keep it too. It may name more than they do: every UUID of a definition is in it.
CREATE TABLE schedule_users (
  user_id uuid NOT NULL,
  schedule_id uuid NOT NULL,
  PRIMARY KEY (user_id, schedule_id)
);

-- The strings of a JSON text that are UUIDs, however their characters are escaped. It does not read the JSON: senders' texts may
-- hold what json and jsonb refuse, and a trigger must not refuse what was accepted.
CREATE FUNCTION belfry_uuids(definition text) RETURNS SETOF uuid
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 10 AS $$
DECLARE
  code text;
BEGIN
  -- JSON lets any character be written by its code. Whoever writes UUIDs does not, so nearly every text is passed by; in the others
  -- hyphens and hexadecimal digits are put in their places. What stands after an escaped backslash is taken for one more than it is.
  IF strpos(definition, '\u00') > 0 THEN
    FOREACH code IN ARRAY string_to_array(
      '2d 2D 30 31 32 33 34 35 36 37 38 39 41 42 43 44 45 46 61 62 63 64 65 66', ' ')
    LOOP
      definition := replace(definition, '\u00' || code, chr(('x' || code)::bit(8)::int));
    END LOOP;
  END IF;
  RETURN QUERY
    SELECT DISTINCT m[1]::uuid
    FROM regexp_matches(definition, '"([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"', 'g') AS m;
END $$;

CREATE FUNCTION belfry_keep_schedule_users() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.definition = NEW.definition AND OLD.id = NEW.id THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    -- An array, so that each is a probe of the primary key.
    DELETE FROM schedule_users
    WHERE schedule_id = OLD.id AND user_id = ANY (ARRAY(SELECT belfry_uuids(OLD.definition)));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO schedule_users (user_id, schedule_id)
    SELECT user_id, NEW.id FROM belfry_uuids(NEW.definition) AS u(user_id) ORDER BY user_id
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

-- A claim sets other columns and costs nothing.
CREATE TRIGGER schedule_users AFTER INSERT OR DELETE OR UPDATE OF definition ON schedules
FOR EACH ROW EXECUTE FUNCTION belfry_keep_schedule_users();

INSERT INTO schedule_users (user_id, schedule_id)
SELECT u.user_id, s.id FROM schedules s CROSS JOIN LATERAL belfry_uuids(s.definition) AS u(user_id);

-- What people with power over others' data did. Erased users' ids are not in it.
CREATE TABLE audit (
  id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  -- The token's subject, or `key:<id>`; `self` of a user's own erasure, `erased` of what an erased user did.
  actor text NOT NULL,
  action text NOT NULL,
  -- What it was done to; NULL where that must not be kept.
  subject text,
  detail jsonb,
  -- Of the HTTP request, as logs name it.
  request_id text
);
-- Pages go by id; this is for upkeep.
CREATE INDEX audit_at ON audit USING brin (at);
-- Whose line it is, for an erasure; erasures themselves have none.
CREATE INDEX audit_subject ON audit (subject) WHERE subject IS NOT NULL;
-- And who wrote one; a token may spell its subject in capitals.
CREATE INDEX audit_actor ON audit (lower(actor));
