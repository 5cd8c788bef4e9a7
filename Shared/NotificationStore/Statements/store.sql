-- Stores what is not stored yet, and moves the inboxes' counters. The caller has locked the inboxes: NotificationStore.
--
-- The lateral subqueries (their OFFSET keeps them apart) let each notification probe the primary keys; plain joins were hashed. Who
-- was erased is asked under the lock on the inbox, which erasing takes after it has left its mark, so nothing comes in between. An
-- inbox is ours if this transaction locked it: one that somebody made after ours was erased is not. Inboxes that were made for
-- nothing but what is erased go again. A `seq` never comes again: after an erasure they go on from its moment in milliseconds, which
-- none has reached before, and what was is forgotten (decision 0070).
--
-- What is new is counted for the statistics: a row of this connection's own for each day and type, of which there is nearly always
-- one. They are few, so they are sorted after they are counted.
WITH content AS (
  SELECT * FROM unnest(
    $types, $titles, $bodies, $data, $related_types, $related_ids, $created_at, $expires_at
  ) WITH ORDINALITY AS c(type, title, body, data, related_type, related_id, created_at, expires_at, position)
), input AS (
  SELECT * FROM unnest(
    $user_ids, $ids, $request_ids, $contents, $in_app, $push, $email, $decisions, $firsts, $beyonds, $owners
  ) WITH ORDINALITY AS i(user_id, id, request_id, content, in_app, push, email, decisions, first, beyond, owner, position)
), known AS (
  SELECT i.*, b.unread, b.seq AS own_seq, greatest(b.seq, e.first_seq) AS last_seq, b.last_id, b.place,
    n.seq AS stored_seq,
    CASE WHEN e.is_erased THEN {erased} WHEN b.is_ours IS NOT TRUE THEN {homeless} WHEN n.seq IS NULL THEN {new} ELSE {known} END
      AS fate
  FROM input i
    LEFT JOIN LATERAL (
      SELECT unread, seq, last_id, ctid AS place, xmax = pg_current_xact_id()::xid AS is_ours
      FROM inbox WHERE user_id = i.user_id OFFSET 0
    ) b ON true
    LEFT JOIN LATERAL ({stored} OFFSET 0) n ON true
    LEFT JOIN LATERAL (
      SELECT erased_at >= ($created_at::timestamptz[])[i.content] AS is_erased,
        (extract(epoch FROM erased_at) * 1000)::int8 AS first_seq
      FROM erased_users WHERE user_id = i.user_id OFFSET 0
    ) e ON true
), decided AS (
  SELECT *, in_app = {inbox} AND fate = {new} AS counts FROM known
), placed AS (
  SELECT *, coalesce(stored_seq, last_seq + count(*) FILTER (WHERE counts) OVER so_far) AS seq,
    id < greatest(last_id, (max(id::text COLLATE "C") FILTER (WHERE counts) OVER so_far)::uuid) IS TRUE AS is_late
  FROM decided
  WINDOW so_far AS (PARTITION BY user_id ORDER BY position)
), tallies AS MATERIALIZED (
  SELECT ($days::int4[])[width_bucket(id, $first_ids::uuid[])] AS day,
    ($types::int2[])[content] AS type, count(*) FILTER (WHERE fate = {new}) AS sent,
    count(*) FILTER (WHERE counts) AS delivered
  FROM placed GROUP BY 1, 2
), tallied AS (
  INSERT INTO stats (day, type, channel, slot, sent, delivered)
  SELECT date '1970-01-01' + day, type, 0, {slot}, sent, delivered FROM tallies WHERE sent > 0
  ORDER BY day, type
  ON CONFLICT (day, type, channel, slot) DO UPDATE SET
    sent = stats.sent + excluded.sent, delivered = stats.delivered + excluded.delivered
), inserted AS (
  INSERT INTO notifications (user_id, id, request_id, request_owner, type, title, body, data, related_type, related_id,
    in_app, push, email, decisions, seq, is_late, created_at, expires_at)
  SELECT p.user_id, p.id, p.request_id, p.owner, c.type, c.title, c.body, c.data, c.related_type, c.related_id,
    p.in_app, p.push, p.email, p.decisions, p.seq, p.is_late, c.created_at, c.expires_at
  FROM placed p JOIN content c ON c.position = p.content
  WHERE p.fate = {new}
), emptied AS (
  DELETE FROM inbox WHERE ctid = ANY (ARRAY(
    SELECT place FROM placed p WHERE fate = {erased} AND own_seq = 0
      AND NOT EXISTS (SELECT FROM placed o WHERE o.user_id = p.user_id AND o.fate <> {erased})
  ))
), counted AS (
  UPDATE inbox b SET unread = b.unread + d.count, total = b.total + d.count, seq = d.last_seq + d.count,
    last_id = greatest(b.last_id, d.last_id), change = greatest(b.change, d.first_seq),
    lost_change = greatest(b.lost_change, d.first_seq), lost_seq = greatest(b.lost_seq, d.first_seq)
  FROM (
    SELECT user_id, count(*) AS count, max(id::text COLLATE "C")::uuid AS last_id, max(last_seq) AS last_seq,
      max(last_seq) FILTER (WHERE last_seq > own_seq) AS first_seq
    FROM placed WHERE counts GROUP BY user_id
  ) d
  WHERE b.user_id = d.user_id
  RETURNING b.user_id, b.unread
)
SELECT p.fate, coalesce(p.seq, 0), coalesce(c.unread, p.unread, 0)
FROM placed p LEFT JOIN counted c ON c.user_id = p.user_id
ORDER BY p.position
