-- With the reason of what would be too long to be told (SkipReason in NotificationModel).
CREATE OR REPLACE FUNCTION belfry_skip_reason(code int2) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['channelNotRequested', 'preferenceOff', 'notificationsOff', 'noActiveDevice', 'noEmailAddress',
    'emailSuppressed', 'expired', 'viewing', 'muted', 'quietHours', 'throttled', 'read', 'deleted', 'cancelled',
    'noProvider', 'paused', 'composed', 'archived', 'snoozed', 'withdrawn', 'textTooLong'])[code]
$$;
