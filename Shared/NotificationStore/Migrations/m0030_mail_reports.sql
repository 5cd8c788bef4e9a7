-- By which a bounce or a complaint finds its mail: by the notification, which is in the Message-ID and in the return path, and by the
-- id under which the provider took the mail. Mails only; building them reads every partition once, while outcomes wait.
CREATE INDEX deliveries_mail ON deliveries (notification_id) WHERE channel = 3;
CREATE INDEX deliveries_provider_id ON deliveries (provider_id) WHERE channel = 3 AND provider_id IS NOT NULL;
