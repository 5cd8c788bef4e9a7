-- What is new has no value in what a release before writes; changes of the catalogue alone. A device's platform also says who
-- serves it: 1 to 3 as before (FCM), 11 iOS over APNs itself, 13 a browser's own push service (Web Push, RFC 8030). A router
-- of the release before knows only the first three and passes over the others.
ALTER TABLE devices
  -- What the device's user answered to the system's question: 0 not known, 1 asked, 2 granted, 3 denied.
  ADD COLUMN permission int2 NOT NULL DEFAULT 0,
  -- Which answers are in the statistics already: bit n - 1 of answer n.
  ADD COLUMN permission_told int2 NOT NULL DEFAULT 0,
  -- Of a browser's subscription `p256dh` and `auth` (RFC 8291), as it gave them; the token is its endpoint.
  ADD COLUMN keys jsonb;
