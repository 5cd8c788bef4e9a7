-- Choices of every channel, also of those that have no column: in both masks a channel's bit is that of its code. NULL in what
-- releases before wrote, who know in_app, push and email alone; these are written as well, for them. Columns without a default
-- are a change of the catalogue alone.
ALTER TABLE preferences
  ADD COLUMN chosen_channels int8,
  ADD COLUMN enabled_channels int8;
ALTER TABLE category_preferences
  ADD COLUMN chosen_channels int8,
  ADD COLUMN enabled_channels int8;

-- Who updates a row knows neither chosen nor the masks (m0007_settings.sql): what it wrote is in the three columns.
CREATE OR REPLACE FUNCTION belfry_preference_chosen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.chosen := 7;
  NEW.chosen_channels := NULL;
  NEW.enabled_channels := NULL;
  RETURN NEW;
END $$;

-- Addresses beside the mail address, by the channel's name: {"sms": {"address": "+49…", "suppressed": true}}. NULL for nearly all.
ALTER TABLE users ADD COLUMN addresses jsonb;
