-- Keys of services that have no tokens. The key itself is not kept.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  -- SHA-256 of the key: long and random, so it needs no salt, and is found by this.
  hash bytea NOT NULL UNIQUE,
  -- `send`, `read`, `directory`.
  scopes text[] NOT NULL,
  -- Who made it: the token's subject.
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Late by up to half a minute.
  last_used_at timestamptz,
  -- Revoked keys stay, so that audit lines keep their name.
  revoked_at timestamptz
);
