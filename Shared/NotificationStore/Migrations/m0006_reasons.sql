-- Reasons that came later, with those of before (SkipReason and HoldReason in NotificationModel).
CREATE OR REPLACE FUNCTION belfry_skip_reason(code int2) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['channelNotRequested', 'preferenceOff', 'notificationsOff', 'noActiveDevice', 'noEmailAddress',
    'emailSuppressed', 'expired', 'viewing', 'muted', 'quietHours', 'throttled', 'read', 'deleted', 'cancelled',
    'noProvider', 'paused'])[code]
$$;

CREATE OR REPLACE FUNCTION belfry_hold_reason(code int2) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (ARRAY['quietHours', 'paused', 'digest', 'throttled', 'unread', 'sendAt'])[code]
$$;
