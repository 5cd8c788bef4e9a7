-- Two writings of one mailbox as one text: a domain knows no case, and what is before it is left as it is (RFC 5321, 2.4). As
-- `MailAddress.canonical`.
CREATE FUNCTION belfry_mail_address(address text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT split_part(address, '@', 1) || '@' || lower(split_part(address, '@', 2) COLLATE "C")
$$;

-- Addresses that get no mail, or none that may be unsubscribed. It is the address that is suppressed, whoever's it is.
CREATE TABLE suppressions (
  -- As belfry_mail_address writes it.
  address text NOT NULL,
  -- 1 hardBounce, 2 manual, 3 complaint. The smallest of an address is the one that counts.
  reason int2 NOT NULL,
  since timestamptz NOT NULL,
  -- What said so: `smtp`, a report by mail, a provider's webhook, `admin`.
  source text NOT NULL,
  -- In the words of the last who said so.
  diagnostic text,
  -- When it was said last.
  last_at timestamptz NOT NULL,
  -- Whose mail led to it, if that is known.
  user_id uuid,
  PRIMARY KEY (address, reason)
);
CREATE INDEX suppressions_since ON suppressions (since, address, reason);
CREATE INDEX suppressions_reason ON suppressions (reason, since, address);
CREATE INDEX suppressions_user ON suppressions (user_id) WHERE user_id IS NOT NULL;

-- Refusals that suppress an address only if another comes within a week: one row for each notification.
CREATE TABLE soft_bounces (
  -- As belfry_mail_address writes it.
  address text NOT NULL,
  -- The notification's id; of a report that names none what reported it, and when.
  occurrence text NOT NULL,
  at timestamptz NOT NULL,
  -- As in RFC 3463.
  code text NOT NULL,
  -- Whose mail it was, if that is known.
  user_id uuid,
  PRIMARY KEY (address, occurrence)
);
CREATE INDEX soft_bounces_at ON soft_bounces (at);
CREATE INDEX soft_bounces_user ON soft_bounces (user_id) WHERE user_id IS NOT NULL;

-- Dispatchers of the release before know the state alone. Nobody else writes it.
CREATE FUNCTION belfry_suppress_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO suppressions AS s (address, reason, since, source, last_at, user_id)
  VALUES (belfry_mail_address(NEW.email), CASE NEW.email_status WHEN 1 THEN 1 ELSE 2 END, now(), 'profile', now(), NEW.user_id)
  ON CONFLICT (address, reason) DO UPDATE SET last_at = greatest(s.last_at, excluded.last_at);
  RETURN NULL;
END $$;
CREATE TRIGGER users_suppressed AFTER UPDATE OF email_status ON users FOR EACH ROW
WHEN (NEW.email_status <> 0 AND OLD.email_status = 0 AND NEW.email IS NOT NULL)
EXECUTE FUNCTION belfry_suppress_address();

-- Who has an address: what is kept of it stays when one of them is erased.
CREATE INDEX users_mail_address ON users (belfry_mail_address(email)) WHERE email IS NOT NULL;

-- What was a state of the profile, after the trigger, for which writers wait: so nothing is missed. Since when is not known exactly: a
-- profile that was changed later says that time.
INSERT INTO suppressions (address, reason, since, source, last_at, user_id)
SELECT DISTINCT ON (1, 2) belfry_mail_address(email), (CASE email_status WHEN 1 THEN 1 ELSE 2 END)::int2, updated_at,
  'profile', updated_at, user_id
FROM users WHERE email IS NOT NULL AND email_status <> 0
ORDER BY 1, 2, 3
ON CONFLICT DO NOTHING;
