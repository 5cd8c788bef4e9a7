-- How many devices reported that they displayed a notification. A column with a default is a change of the catalogue alone.
-- Which device displayed which notification is in `engagement`, as the action `(displayed:<device>)`: no button has that name.
ALTER TABLE stats
  ADD COLUMN displayed int8 NOT NULL DEFAULT 0;
