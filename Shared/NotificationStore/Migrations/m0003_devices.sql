-- At once what the index needs, or a registration in between and this would wait for each other.
LOCK TABLE devices IN SHARE ROW EXCLUSIVE MODE;

-- Devices that were deactivated stayed for ever. A registration deletes the oldest from now on; this is what is there.
DELETE FROM devices d USING (
  SELECT user_id, id, row_number() OVER (PARTITION BY user_id ORDER BY last_used_at DESC, id DESC) AS place
  FROM devices WHERE NOT active
) old
WHERE d.user_id = old.user_id AND d.id = old.id AND old.place > 15;

-- What the router reads for every recipient.
CREATE INDEX devices_active ON devices (user_id, id) WHERE active;
