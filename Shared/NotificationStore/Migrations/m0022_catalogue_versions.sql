-- The operator's catalogue files, as they were applied: the newest is in force. None is removed: what was accepted by an older one
-- may still wait.
CREATE TABLE catalogue_versions (
  -- From 1, one after another.
  number int8 PRIMARY KEY CHECK (number > 0),
  -- The file, exactly as it was given.
  text text NOT NULL,
  applied_at timestamptz NOT NULL,
  -- The token's subject; `erased` of an erased user.
  applied_by text NOT NULL,
  -- Which version was put in force again by this one; NULL where the text is new.
  rollback_of int8 REFERENCES catalogue_versions,
  -- What it changed: [{"kind": "typeRemoved", "name": "…", "text": "…"}].
  changes jsonb NOT NULL,
  -- What it knows: codes and names of types, names of events, in small letters. So the newest version that has one is found without
  -- reading their texts. NULL: it may know anything.
  names text[]
);

-- By which version a gateway accepted a send that waits, 0 being the built-in catalogue; NULL of schedules, and where nobody knows: a
-- file or an earlier release accepted it. A column without a default is a change of the catalogue alone.
ALTER TABLE schedules ADD COLUMN catalogue_version int8;
