-- Who unsubscribed from a category's mails by the link in one (decision 0101), and what was chosen before, so that it can be taken back.
-- What holds is in category_preferences. Maintenance deletes a row when no link can take it back any more.
CREATE TABLE unsubscriptions (
  user_id uuid NOT NULL,
  category text NOT NULL,
  unsubscribed_at timestamptz NOT NULL,
  -- {"category": true, false or null, "types": {"<code>": true or false}}: choices for email.
  former jsonb NOT NULL,
  PRIMARY KEY (user_id, category)
);
CREATE INDEX unsubscriptions_age ON unsubscriptions (unsubscribed_at);
