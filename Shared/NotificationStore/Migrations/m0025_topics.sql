-- What became of pushes to topics of FCM, and to conditions over several: one row for each request. Nobody is named here, and no
-- text is kept.
CREATE TABLE topic_deliveries (
  request_id uuid PRIMARY KEY,
  -- `topic` or `condition`, and the text of it.
  audience text NOT NULL,
  target text NOT NULL,
  -- Code of the notification's type.
  type int2 NOT NULL,
  -- As with notifications.
  request_owner text,
  routed_at timestamptz NOT NULL,
  -- As with deliveries; NULL while there is no outcome.
  outcome int2,
  reason text,
  provider_id text,
  attempts int2 NOT NULL DEFAULT 0,
  finished_at timestamptz
);
CREATE INDEX topic_deliveries_age ON topic_deliveries (routed_at);
-- As deliveries_failed: what the delivery log looks for.
CREATE INDEX topic_deliveries_failed ON topic_deliveries (outcome, finished_at, request_id) WHERE outcome <> 1;

-- Whoever names a device alone finds it by this.
CREATE INDEX devices_id ON devices (id);

-- Which topics of FCM people and devices are to be subscribed to: what is wanted.
CREATE TABLE topic_subscriptions (
  user_id uuid NOT NULL,
  topic text NOT NULL,
  -- One device of the user's; the nil UUID is all of them, those that come later too.
  device_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, topic, device_id)
);

-- What FCM knows of it, or may know: a row comes before FCM is told, and goes after FCM has forgotten.
CREATE TABLE topic_registrations (
  -- Token or installation id (fid).
  address text NOT NULL,
  topic text NOT NULL,
  -- Whose device it is; NULL of an erased user, of whom FCM is still to forget this.
  owner_id uuid,
  -- Whether FCM is to have the subscription, or to end it.
  is_wanted boolean NOT NULL,
  -- When FCM is told next; NULL: it is as it should be.
  due_at timestamptz,
  -- Whether FCM may have been told of it: else there is nothing for it to forget.
  is_told boolean NOT NULL DEFAULT false,
  -- Until when a dispatcher may be telling FCM: meanwhile no other one does. And by what the dispatcher knows its claim.
  claimed_until timestamptz,
  claim uuid,
  attempts int4 NOT NULL DEFAULT 0,
  -- Why the last attempt failed.
  reason text,
  PRIMARY KEY (address, topic)
);
CREATE INDEX topic_registrations_owner ON topic_registrations (owner_id, topic);
CREATE INDEX topic_registrations_due ON topic_registrations (due_at) WHERE due_at IS NOT NULL;

-- Brings what FCM is to be told of a user's devices into line with what is wanted, of some topics or of all. Addresses above 1,700
-- bytes have no room in the key: FCM has none.
CREATE FUNCTION belfry_plan_topics(who uuid, topics text[] DEFAULT NULL) RETURNS void LANGUAGE plpgsql SET enable_seqscan TO off AS $$
DECLARE
  all_devices CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  -- In the order of whoever settles them.
  PERFORM 1 FROM topic_registrations WHERE owner_id = who AND (topics IS NULL OR topic = ANY (topics))
  ORDER BY address, topic FOR UPDATE;

  INSERT INTO topic_registrations AS r (address, topic, owner_id, is_wanted, due_at)
  SELECT DISTINCT d.token, s.topic, who, true, now()
  FROM devices d JOIN topic_subscriptions s ON s.user_id = d.user_id AND s.device_id IN (d.id, all_devices)
  WHERE d.user_id = who AND d.active AND d.platform < 10 AND octet_length(d.token) <= 1700
    AND (topics IS NULL OR s.topic = ANY (topics))
  ORDER BY 1, 2
  ON CONFLICT (address, topic) DO UPDATE SET owner_id = excluded.owner_id, is_wanted = true,
    due_at = CASE WHEN r.is_wanted THEN r.due_at ELSE greatest(r.claimed_until, now()) END,
    attempts = CASE WHEN r.is_wanted THEN r.attempts ELSE 0 END,
    reason = CASE WHEN r.is_wanted THEN r.reason END
  WHERE NOT r.is_wanted OR r.owner_id IS DISTINCT FROM excluded.owner_id;

  -- What ends: FCM is to forget it, if it may know of it.
  UPDATE topic_registrations r SET is_wanted = false, due_at = greatest(r.claimed_until, now()), attempts = 0, reason = NULL
  WHERE r.owner_id = who AND r.is_wanted AND (topics IS NULL OR r.topic = ANY (topics)) AND NOT EXISTS (
    SELECT FROM devices d JOIN topic_subscriptions s ON s.user_id = d.user_id AND s.device_id IN (d.id, all_devices)
    WHERE d.token = r.address AND d.user_id = who AND d.active AND d.platform < 10 AND s.topic = r.topic);
  DELETE FROM topic_registrations
  WHERE owner_id = who AND NOT is_wanted AND NOT is_told AND (topics IS NULL OR topic = ANY (topics));

  -- A token `<fid>:…` and its installation id are the same app to FCM: ending the one would end the other. So that of the two which
  -- is active has the subscription, or is to lose it, and hears of it again once nobody may be telling FCM of the other.
  WITH former AS MATERIALIZED (
    SELECT r.address, r.topic, greatest(r.claimed_until, now()) AS due_at, a.token AS alias, a.user_id AS owner
    FROM topic_registrations r
      CROSS JOIN LATERAL (
        SELECT d.token, d.user_id FROM devices d
        WHERE strpos(r.address, ':') > 1 AND d.token = split_part(r.address, ':', 1) AND d.address_kind = 2 AND d.active
        UNION ALL
        SELECT t.token, t.user_id FROM devices d JOIN devices t ON split_part(t.token, ':', 1) = d.token
        WHERE d.token = r.address AND d.address_kind = 2 AND t.token <> d.token
          AND t.address_kind = 1 AND t.platform < 10 AND t.active
        LIMIT 1
      ) a
    WHERE r.owner_id = who AND NOT r.is_wanted AND (topics IS NULL OR r.topic = ANY (topics))
  ), replaced AS (
    DELETE FROM topic_registrations r USING former f WHERE r.address = f.address AND r.topic = f.topic
  )
  INSERT INTO topic_registrations AS r (address, topic, owner_id, is_wanted, due_at, is_told)
  SELECT alias, topic, owner, false, max(due_at), true FROM former GROUP BY alias, topic, owner ORDER BY 1, 2
  ON CONFLICT (address, topic) DO UPDATE SET is_told = true,
    due_at = CASE WHEN excluded.due_at > now() THEN greatest(r.due_at, excluded.due_at) ELSE r.due_at END;
END $$;

-- Devices come, go, fall silent and change hands in many ways, also by gateways of the release before. Users are taken in order.
CREATE FUNCTION belfry_plan_topics_of_devices() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO off AS $$
DECLARE
  who uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM topic_subscriptions) AND NOT EXISTS (SELECT FROM topic_registrations) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    FOR who IN
      SELECT DISTINCT c.user_id FROM changed c
      WHERE EXISTS (SELECT FROM topic_subscriptions s WHERE s.user_id = c.user_id) ORDER BY 1
    LOOP
      PERFORM belfry_plan_topics(who);
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM topic_subscriptions s USING former f WHERE s.user_id = f.user_id AND s.device_id = f.id;
    FOR who IN
      SELECT DISTINCT f.user_id FROM former f
      WHERE EXISTS (SELECT FROM topic_registrations r WHERE r.owner_id = f.user_id) ORDER BY 1
    LOOP
      PERFORM belfry_plan_topics(who);
    END LOOP;
  ELSE
    DELETE FROM topic_subscriptions s USING former f, changed c
    WHERE f.token = c.token AND f.user_id <> c.user_id AND s.user_id = f.user_id AND s.device_id = f.id;
    FOR who IN
      SELECT DISTINCT d.user_id FROM (
        (SELECT user_id, token, active, platform FROM former EXCEPT SELECT user_id, token, active, platform FROM changed)
        UNION ALL
        (SELECT user_id, token, active, platform FROM changed EXCEPT SELECT user_id, token, active, platform FROM former)
      ) d
      WHERE EXISTS (SELECT FROM topic_subscriptions s WHERE s.user_id = d.user_id)
        OR EXISTS (SELECT FROM topic_registrations r WHERE r.owner_id = d.user_id)
      ORDER BY 1
    LOOP
      PERFORM belfry_plan_topics(who);
    END LOOP;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER devices_added_to_topics AFTER INSERT ON devices
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION belfry_plan_topics_of_devices();
CREATE TRIGGER devices_changed_for_topics AFTER UPDATE ON devices
REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION belfry_plan_topics_of_devices();
CREATE TRIGGER devices_removed_from_topics AFTER DELETE ON devices
REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION belfry_plan_topics_of_devices();

CREATE FUNCTION belfry_plan_topics_of_people() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  who uuid;
  topics text[];
BEGIN
  FOR who, topics IN SELECT c.user_id, array_agg(DISTINCT c.topic) FROM changed c GROUP BY 1 ORDER BY 1 LOOP
    PERFORM belfry_plan_topics(who, topics);
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER topic_subscriptions_added AFTER INSERT ON topic_subscriptions
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION belfry_plan_topics_of_people();
CREATE TRIGGER topic_subscriptions_removed AFTER DELETE ON topic_subscriptions
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION belfry_plan_topics_of_people();
