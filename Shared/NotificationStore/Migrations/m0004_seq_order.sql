-- What came after a `seq` is read page by page, and a page has to cost a page. `seq` is the order of commits, ids are in the
-- order of requests: nearly the same. So ids lead to a `seq` if the ids of some are known and exceptions are kept apart.
-- An index of every row would do too, but cost each insert a tenth more time and half as much write-ahead log again.

-- In the order in which routers lock, so that neither waits for the other for ever.
LOCK TABLE inbox, notifications IN ACCESS EXCLUSIVE MODE;

-- Whether the user got a notification with a higher id before this one. Those that are not late have ids that grow with `seq`.
ALTER TABLE notifications ADD COLUMN is_late boolean NOT NULL DEFAULT false;
-- The highest id among the user's notifications; null before the first.
ALTER TABLE inbox ADD COLUMN last_id uuid;

UPDATE notifications n SET is_late = true
FROM (
  SELECT user_id, id, max(id::text COLLATE "C") OVER (PARTITION BY user_id ORDER BY seq) > id::text COLLATE "C" AS is_late
  FROM notifications WHERE in_app = 0
) o
WHERE o.is_late AND n.user_id = o.user_id AND n.id = o.id;

UPDATE inbox b SET last_id = n.id
FROM (
  SELECT user_id, max(id::text COLLATE "C")::uuid AS id FROM notifications WHERE in_app = 0 GROUP BY user_id
) n
WHERE b.user_id = n.user_id;

-- A router of the release before does not say: then it has to be taken for late.
ALTER TABLE notifications ALTER COLUMN is_late SET DEFAULT true;

-- Its columns never change, so that updates stay heap-only.
CREATE INDEX notifications_seq ON notifications (user_id, is_late, seq) WHERE in_app = 0 AND (is_late OR seq % 32 = 0);
