-- Changes of groups wait until this is done, about fifteen seconds for ten million members; sending goes on, which only reads
-- them.
LOCK TABLE group_members IN SHARE ROW EXCLUSIVE MODE;

-- The groups of a user, for what is told of a user and for what is erased.
CREATE INDEX group_members_user ON group_members (user_id);

-- How many members each group has: counting ten million takes a second. A group without members is none. Triggers keep it, so
-- that gateways of the release before keep it too.
CREATE TABLE groups (
  group_id text PRIMARY KEY,
  members int8 NOT NULL,
  -- Who removes former members now, a page at a time; whoever replaces the group next writes another one, and the one before
  -- ends there. NULL is nobody.
  replacement uuid
) WITH (fillfactor = 50);

-- Of each statement as a whole, whose rows are `changed`. Groups are taken in order, so that two who change several wait, and
-- nobody waits for ever.
CREATE FUNCTION belfry_count_members() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan TO off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO groups (group_id, members)
    SELECT c.group_id, count(*) FROM changed c GROUP BY c.group_id ORDER BY c.group_id
    ON CONFLICT (group_id) DO UPDATE SET members = groups.members + excluded.members;
  ELSE
    PERFORM 1 FROM groups g WHERE g.group_id IN (SELECT c.group_id FROM changed c) ORDER BY g.group_id FOR UPDATE OF g;
    UPDATE groups g SET members = g.members - c.members
    FROM (SELECT group_id, count(*) AS members FROM changed GROUP BY group_id) c WHERE g.group_id = c.group_id;
    DELETE FROM groups g WHERE g.group_id IN (SELECT c.group_id FROM changed c) AND g.members <= 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER group_members_added AFTER INSERT ON group_members
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION belfry_count_members();
CREATE TRIGGER group_members_removed AFTER DELETE ON group_members
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION belfry_count_members();

INSERT INTO groups (group_id, members) SELECT group_id, count(*) FROM group_members GROUP BY group_id;
