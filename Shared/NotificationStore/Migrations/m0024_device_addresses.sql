-- What a device's address is beyond its text. What is new has a value, or none, in what a release before writes; changes of the
-- catalogue alone, but for the index.
ALTER TABLE devices
  -- What the text in `token` is to FCM: 1 a registration token (and all that is not FCM's), 2 an installation id (fid).
  ADD COLUMN address_kind int2 NOT NULL DEFAULT 1,
  -- The app's own id: devices of one installation are one app on one phone, and get one push.
  ADD COLUMN installation uuid,
  -- Of a device of APNs: `production` or `sandbox`, and the app's bundle id; NULL is the deployment's.
  ADD COLUMN apns_environment text,
  ADD COLUMN apns_topic text,
  -- When the app sent the address last; NULL of a registration by a release before: then it is last_used_at.
  ADD COLUMN registered_at timestamptz,
  -- Of a browser's subscription: id of the VAPID key that it was made with.
  ADD COLUMN vapid_key text;

-- An installation id replaces the active tokens `<fid>:…`, whose ever they are.
CREATE INDEX devices_fcm_installation ON devices (split_part(token, ':', 1))
  WHERE active AND address_kind = 1 AND platform < 10;
