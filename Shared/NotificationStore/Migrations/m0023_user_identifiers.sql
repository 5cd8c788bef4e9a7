-- The texts that users' UUIDs stand for, and the UUIDs of version 5 that are users' ids themselves (decision 0088): of each the first
-- that came. Written where people become known, gone with their erasure.
CREATE TABLE user_identifiers (
  user_id uuid PRIMARY KEY,
  identifier text NOT NULL
);
