-- The groups of a user, for what is told of a user and for what is erased. Building it stops changes of groups meanwhile, about
-- ten seconds for ten million members; sending goes on, which only reads them.
CREATE INDEX group_members_user ON group_members (user_id);
