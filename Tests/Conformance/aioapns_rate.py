"""Pushes through aioapns to the provider simulator as fast as it can, and prints how fast that was; see rate.py.

Nothing of it is changed but the address and the authority, as in aioapns_client.py.
"""

import argparse
import asyncio
import itertools
import logging
import ssl

import aioapns
from aioapns import connection as protocols
from rate import Rate

MESSAGE = {
    "aps": {
        "alert": {"title": "Allowance received", "body": "You received $10.00. Your balance is $42.00."},
        "badge": 1,
        "sound": "default",
    },
    "amount": "$10.00",
    "balance": "$42.00",
    "notificationId": "0193b1f0-0000-7000-8000-000000000000",
    "type": "10",
}


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", required=True, help="the simulator's folder, with the .p8 files")
    parser.add_argument("--authority", required=True, help="certificate of the authority to trust")
    parser.add_argument("--port", required=True, type=int, help="port of the environment production")
    parser.add_argument("--count", required=True, type=int, help="pushes")
    parser.add_argument("--concurrency", type=int, default=250, help="pushes at a time")
    return parser.parse_args()


async def main(options):
    protocol = protocols.APNsProductionClientProtocol
    protocol.APNS_SERVER, protocol.APNS_PORT = "localhost", options.port
    with open(f"{options.keys}/apns-production.p8", encoding="ascii") as file:
        key = file.read()
    apns = aioapns.APNs(
        key=key,
        key_id="PRODUCTION",
        team_id="BELFRYTEAM",
        topic="com.example.belfry",
        max_connections=1,
        ssl_context=ssl.create_default_context(cafile=options.authority),
    )
    numbers = itertools.count()

    async def push(number):
        request = aioapns.NotificationRequest(device_token=f"{number:064x}", message=MESSAGE)
        answer = await apns.send_notification(request)
        assert answer.is_successful, (answer.status, answer.description)

    async def worker():
        while (number := next(numbers)) < options.count:
            await push(number)

    # So that the settings that follow the first answer have come.
    for _ in range(2):
        await push(0)
    with Rate(options.count):
        await asyncio.gather(*(worker() for _ in range(options.concurrency)))


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(main(parse()))
