"""Generates a client from the description that a gateway serves, and does with it what an app and its backend do.

Prints {"event": "generated", "operations": …}, then {"event": "done", "id": …}; exits with 0 if all went well.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import uuid

from arguments import report

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--url", required=True, help="the gateway, http://host:port")
parser.add_argument("--description", help="where the description is, if not there")
parser.add_argument("--user", required=True)
parser.add_argument("--user-token", required=True)
parser.add_argument("--service-token", required=True)
options = parser.parse_args()
# It knows none of these; to be read as what they are.
OTHER_TYPES = {
    "application/yaml": "application/json",
    "message/rfc822": "application/octet-stream",
    "application/schema+json": "application/json",
    "text/javascript": "text/plain",
}

with tempfile.TemporaryDirectory(prefix="belfry-client-") as folder:
    config = pathlib.Path(folder, "config.json")
    # Left as it is generated: nobody reads it.
    config.write_text(json.dumps({"post_hooks": [], "content_type_overrides": OTHER_TYPES}))
    program = pathlib.Path(sys.executable).with_name("openapi-python-client")
    subprocess.run(
        [program, "generate", "--url", options.description or f"{options.url}/openapi.yaml", "--config", config, "--meta", "none",
         "--output-path", pathlib.Path(folder, "belfry_client"), "--fail-on-warning"],
        check=True,
    )
    sys.path.insert(0, folder)

    from belfry_client import AuthenticatedClient
    from belfry_client.api.inbox import list_notifications
    from belfry_client.api.preferences import get_preferences, update_preferences
    from belfry_client.api.sending import send_notification
    from belfry_client.models import (
        AcceptedDto,
        Audience,
        NotificationListDto,
        NotificationPreferenceItemDto,
        NotificationPreferencesDto,
        Problem,
        SendRequest,
        UpdateNotificationPreferencesDto,
    )

    modules = [path for path in pathlib.Path(folder, "belfry_client", "api").glob("*/*.py") if path.name != "__init__.py"]
    report(event="generated", operations=len(modules))

    app = AuthenticatedClient(base_url=options.url, token=options.user_token)
    backend = AuthenticatedClient(base_url=options.url, token=options.service_token)

    audience = Audience(users=[options.user])
    request = SendRequest(to=audience, type_="SystemAnnouncement", title="Hello", body="Grüße 🎉")
    key = str(uuid.uuid4())
    accepted = send_notification.sync(client=backend, body=request, idempotency_key=key)
    assert isinstance(accepted, AcceptedDto), accepted
    # As docs/python.md repeats a send whose answer was lost; below, the inbox has one.
    repeated = send_notification.sync(client=backend, body=request, idempotency_key=key)
    assert isinstance(repeated, AcceptedDto) and repeated.request_id == accepted.request_id, repeated
    refused = send_notification.sync(client=backend, body=SendRequest(to=audience, type_="NoSuchType"))
    assert isinstance(refused, Problem) and refused.errors[0].field == "type", refused

    until = time.monotonic() + 30
    while True:
        inbox = list_notifications.sync(client=app)
        assert isinstance(inbox, NotificationListDto), inbox
        if inbox.notifications or time.monotonic() > until:
            break
        time.sleep(0.1)
    (notification,) = inbox.notifications
    assert (notification.title, notification.body, notification.type_) == ("Hello", "Grüße 🎉", 99), notification
    assert inbox.unread_count == 1 and notification.read_at is None and notification.created_at.tzinfo, inbox

    def announcements(preferences):
        assert isinstance(preferences, NotificationPreferencesDto), preferences
        return next(each for each in preferences.preferences if each.notification_type == 99)

    before = announcements(get_preferences.sync(client=app))
    item = NotificationPreferenceItemDto(
        notification_type=99, in_app_enabled=True, push_enabled=not before.push_enabled, email_enabled=before.email_enabled
    )
    changed = update_preferences.sync(client=app, body=UpdateNotificationPreferencesDto(preferences=[item]))
    assert announcements(changed).push_enabled != before.push_enabled, changed
    assert announcements(get_preferences.sync(client=app)).push_enabled != before.push_enabled
    report(event="done", id=str(notification.id))
