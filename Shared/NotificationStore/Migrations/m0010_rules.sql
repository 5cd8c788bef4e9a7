-- What rules remember: one row per person, rule and key. `state` is the whole of it (RuleState in Rules); the other columns
-- repeat what rows are found by.
CREATE TABLE rule_states (
  user_id uuid NOT NULL,
  rule text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  -- JSON, kept as text: nobody looks into it, and what it keeps of a payload may hold what jsonb refuses.
  state text NOT NULL,
  -- When it is to be looked at; a look that came to nothing is put off.
  timer_at timestamptz,
  -- Its person's settings are others than those that the timer was set by.
  is_unsettled boolean NOT NULL DEFAULT false,
  -- Of absence rules: the person's last local day, in days since 1970-01-01.
  day int4,
  disposable_from timestamptz,
  PRIMARY KEY (user_id, rule, key)
) WITH (fillfactor = 80);
CREATE INDEX rule_states_timers ON rule_states (timer_at) WHERE timer_at IS NOT NULL;
CREATE INDEX rule_states_days ON rule_states (rule, day, user_id) WHERE day IS NOT NULL;
CREATE INDEX rule_states_disposable ON rule_states (disposable_from) WHERE disposable_from IS NOT NULL;

-- Notices that are decided and not yet confirmed by the broker: written with the state that says they are told, deleted when
-- they are. Nearly always empty.
CREATE TABLE rule_notices (
  id uuid PRIMARY KEY,
  body text NOT NULL,
  -- Until then whoever wrote or claimed it is about to publish it.
  claimed_until timestamptz NOT NULL
);
CREATE INDEX rule_notices_claims ON rule_notices (claimed_until);

-- Which zones' absence scans have been done, or by whom they are being done, for a local day.
CREATE TABLE rule_scans (
  rule text NOT NULL,
  day int4 NOT NULL,
  zone text NOT NULL,
  claimed_until timestamptz NOT NULL,
  is_done boolean NOT NULL DEFAULT false,
  PRIMARY KEY (rule, day, zone)
);

-- For the zones in use, read with a step of the index for each.
CREATE INDEX IF NOT EXISTS users_timezone ON users (timezone) WHERE timezone IS NOT NULL;
