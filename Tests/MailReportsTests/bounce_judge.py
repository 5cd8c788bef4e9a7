"""What flufl.bounce and django-anymail make of reports.

    bounce_judge.py FILE     for each JSON document in FILE, a line: its own again, with what the judge found

A document has `name` and either `mail` (base64), of which flufl.bounce says the addresses that failed for good and for now, or `provider`
and `webhook`, of which django-anymail says kind, recipient and the ids by which the mail is known.
"""

import base64
import json
import sys
from email import message_from_bytes

from django.conf import settings

settings.configure(ANYMAIL={"WEBHOOK_SECRET": "judge:secret"}, SECRET_KEY="judge", USE_TZ=True)

from anymail.webhooks.amazon_ses import AmazonSESTrackingWebhookView  # noqa: E402
from anymail.webhooks.mailgun import MailgunTrackingWebhookView  # noqa: E402
from anymail.webhooks.postmark import PostmarkTrackingWebhookView  # noqa: E402
from anymail.webhooks.sendgrid import SendGridTrackingWebhookView  # noqa: E402
from flufl.bounce import all_failures  # noqa: E402


def of_mail(document):
    temporary, permanent = all_failures(message_from_bytes(base64.b64decode(document["mail"])))
    return {
        "permanent": sorted(one.decode() for one in permanent),
        "temporary": sorted(one.decode() for one in temporary),
    }


def events(provider, webhook):
    if provider == "ses":
        # Made without its start, which wants Amazon's library to confirm subscriptions.
        view = AmazonSESTrackingWebhookView.__new__(AmazonSESTrackingWebhookView)
        return view.esp_to_anymail_events(webhook, {"Type": "Notification", "MessageId": "1", "Timestamp": "2026-11-28T10:00:00.000Z"})
    if provider == "postmark":
        view = PostmarkTrackingWebhookView()
        return [view.esp_to_anymail_event(webhook)]
    if provider == "sendgrid":
        view = SendGridTrackingWebhookView()
        return [view.esp_to_anymail_event(one) for one in webhook]
    view = MailgunTrackingWebhookView(webhook_signing_key="judge")
    return [view.esp_to_anymail_event(webhook)]


def of_webhook(document):
    return {
        "events": [
            {"type": one.event_type, "recipient": one.recipient, "id": one.message_id, "reason": one.reject_reason}
            for one in events(document["provider"], document["webhook"])
        ]
    }


with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        document = json.loads(line)
        found = of_mail(document) if "mail" in document else of_webhook(document)
        print(json.dumps({"name": document["name"]} | found))
