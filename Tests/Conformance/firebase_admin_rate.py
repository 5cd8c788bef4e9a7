"""Sends through Google's own SDK to the provider simulator as fast as it can, over HTTP/2 and in calls of 500 messages, and prints how
fast that was; see rate.py.

Nothing of it is changed but addresses, as in firebase_admin_client.py.
"""

import argparse
import asyncio
import os
import warnings

from rate import Rate

ID = "0193b1f0-0000-7000-8000-000000000000"
# As many as a call takes.
STEP = 500


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--account", required=True, help="the service account's file")
    parser.add_argument("--authority", required=True, help="certificate of the authority to trust")
    parser.add_argument("--fcm", required=True, help="where FCM is, e.g. https://localhost:1234")
    parser.add_argument("--count", required=True, type=int, help="messages, a multiple of 500")
    return parser.parse_args()


options = parse()
os.environ["REQUESTS_CA_BUNDLE"] = os.environ["SSL_CERT_FILE"] = options.authority

import firebase_admin  # noqa: E402: reads the environment
from firebase_admin import credentials, messaging  # noqa: E402

# `token` as a target, which is what devices still have.
warnings.simplefilter("ignore", DeprecationWarning)


def message(number):
    return messaging.Message(
        token=f"rate-{number}:{'0123456789abcdef' * 8}",
        notification=messaging.Notification("Allowance received", "You received $10.00. Your balance is $42.00."),
        data={"amount": "$10.00", "balance": "$42.00", "notificationId": ID, "type": "10"},
        android=messaging.AndroidConfig(
            priority="high", ttl=86_400, notification=messaging.AndroidNotification(sound="default", tag=ID)
        ),
    )


async def send(first, count):
    answer = await messaging.send_each_async([message(first + number) for number in range(count)])
    assert answer.success_count == count, next(each.exception for each in answer.responses if not each.success)


async def main():
    # With the access token, and the connection.
    await send(0, 1)
    with Rate(options.count // STEP * STEP):
        for first in range(0, options.count // STEP * STEP, STEP):
            await send(first, STEP)


if __name__ == "__main__":
    messaging._MessagingService.FCM_URL = options.fcm + "/v1/projects/{0}/messages:send"
    firebase_admin.initialize_app(credentials.Certificate(options.account))
    asyncio.run(main())
