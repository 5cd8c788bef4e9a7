"""What Google's SDK, firebase-admin, makes of our bodies of `messages:send`.

    firebase_judge.py FILE     objections to those in FILE, one JSON document a line; nothing if there are none

Each message is made anew of the SDK's own classes, which refuse wrong types and values, and written by the SDK's encoder: names,
forms and values must be those that came. A member that the SDK has no word for is an objection, too.
"""

import datetime
import json
import sys
import warnings

from firebase_admin import messaging
from firebase_admin._messaging_encoder import MessageEncoder

# `token` as a target, which is what devices still have.
warnings.simplefilter("ignore", DeprecationWarning)


def take(members, *names):
    """These members, those that are absent as None; there may be no others."""
    unknown = set(members) - set(names)
    assert not unknown, f"members that the SDK does not know: {sorted(unknown)}"
    return [members.get(name) for name in names]


def made(form, members, *names, **own_names):
    """An object of the SDK of these members, or None if there are none."""
    if members is None:
        return None
    values = take(members, *names, *own_names.values())
    return form(**dict(zip([*names, *own_names], values)))


def android(members):
    if members is None:
        return None
    collapse_key, priority, ttl, notification = take(members, "collapse_key", "priority", "ttl", "notification")
    assert priority in ("HIGH", "NORMAL"), priority
    return messaging.AndroidConfig(
        collapse_key=collapse_key,
        priority=priority.lower(),
        ttl=datetime.timedelta(seconds=int(ttl.removesuffix("s"))),
        notification=made(messaging.AndroidNotification, notification, "sound", "click_action", "tag"),
    )


def apns(members):
    if members is None:
        return None
    headers, payload = take(members, "headers", "payload")
    (aps,) = take(payload, "aps")
    badge, sound, category, level = take(aps, "badge", "sound", "category", "interruption-level")
    custom = {"interruption-level": level} if level else None
    parts = messaging.Aps(badge=badge, sound=sound, category=category, custom_data=custom)
    return messaging.APNSConfig(headers=headers, payload=messaging.APNSPayload(parts))


def webpush(members):
    if members is None:
        return None
    headers, notification, options = take(members, "headers", "notification", "fcm_options")
    return messaging.WebpushConfig(
        headers=headers,
        notification=made(messaging.WebpushNotification, notification, "tag", "icon", "silent"),
        fcm_options=made(messaging.WebpushFCMOptions, options, "link"),
    )


def message(members):
    names = ("fid", "token", "topic", "condition", "data", "notification", "android", "apns", "webpush", "fcm_options")
    values = dict(zip(names, take(members, *names)))
    values["notification"] = made(messaging.Notification, values["notification"], "title", "body")
    values["android"] = android(values["android"])
    values["apns"] = apns(values["apns"])
    values["webpush"] = webpush(values["webpush"])
    values["fcm_options"] = made(messaging.FCMOptions, values["fcm_options"], "analytics_label")
    return messaging.Message(**values)


def same(ours):
    """Ours as the SDK would write it."""
    if "android" in ours:
        ours["android"]["priority"] = ours["android"]["priority"].lower()
    return ours


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        for number, line in enumerate(file):
            try:
                (ours,) = take(json.loads(line), "message")
                theirs = json.loads(json.dumps(message(ours), cls=MessageEncoder))
                assert theirs == same(ours), f"the SDK writes {theirs}"
            except Exception as error:
                print(f"{number}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
