-- Columns first: whoever has read notifications and waits to write would otherwise stand in the way of their lock, behind
-- the index, for which writing stands still.

-- Whose request it is: the subject of the token, or the sender's app-id; the empty text is everybody's who may send. NULL for
-- what no sender asked for (rules, compositions), and for what was stored before: an admin's to see. A nullable column
-- without a default is a change of the catalogue alone.
ALTER TABLE notifications ADD COLUMN request_owner text;

-- Whose request it was that was withdrawn: nobody else hears of it. NULL is not known.
ALTER TABLE cancelled_requests ADD COLUMN owner text;

-- What became of a request is asked for by its id, and what of it still waits is withdrawn: the notifications have to be found
-- by it. One request tells many, and equal keys share their entry's space. The column never changes, so that updates stay
-- heap-only.
CREATE INDEX notifications_request ON notifications (request_id);
