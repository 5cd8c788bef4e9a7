"""Requests at a steady rate in the background, over connections that are kept."""

import asyncio
import random
import threading
import uuid

import aiohttp

from family import GROUP


class Load:
    """Begins `rate` requests a second until it is left; then waits for those under way."""

    def __init__(self, stack, rate, connections=64):
        self.rate, self.connections, self.api = rate, connections, stack.api
        self.service = stack.token()
        self.failures = []
        self.begun = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join(timeout=150)
        assert not self._thread.is_alive(), "requests are still under way"

    async def _run(self):
        loop = asyncio.get_running_loop()
        connector = aiohttp.TCPConnector(limit=self.connections)
        async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=20)) as session:
            start, tasks = loop.time(), set()
            while not self._stop.is_set():
                task = loop.create_task(self._request(session, self.begun))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
                self.begun += 1
                await asyncio.sleep(max(0, start + self.begun / self.rate - loop.time()))
            await asyncio.gather(*tasks)

    async def _request(self, session, number):
        try:
            await self.request(session, number)
        except Exception as error:
            self.failures.append(f"{number}: {error!r}")

    async def post(self, session, body, key=None):
        headers = {"Authorization": f"Bearer {self.service}"} | ({"Idempotency-Key": key} if key else {})
        async with session.post(f"{self.api}/api/v1/notifications", json=body, headers=headers) as answer:
            return answer.status, await answer.text()


class FamilySends(Load):
    """Sends to the demo family, each with a title of its own, repeated with the same key until it is accepted."""

    def __init__(self, stack, rate, name):
        super().__init__(stack, rate)
        self.name = name
        self.accepted = set()
        self.repeated = 0

    async def request(self, session, number):
        title, key = f"{self.name} {number}", str(uuid.uuid4())
        deadline = asyncio.get_running_loop().time() + 120
        pause = 0.2
        while True:
            try:
                status, text = await self.post(session, family_send(title), key)
            except (aiohttp.ClientError, asyncio.TimeoutError) as error:
                status, text = None, repr(error)
            if status == 202:
                self.accepted.add(title)
                return
            # Of the proxy too, while there is no gateway: 503 and 502, or 504 for an answer that was lost.
            assert status in (None, 502, 503, 504), f"{status} {text}"
            assert asyncio.get_running_loop().time() < deadline, f"not accepted within 120 s: {status} {text}"
            self.repeated += 1
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(2, pause * 2)


class EverydayRequests(Load):
    """What a day brings: half are reads of users, the others sends to single users, each fortieth one to the demo family.

    Nothing is repeated: what is not answered with a 2xx has failed.
    """

    def __init__(self, stack, rate, name, users):
        super().__init__(stack, rate)
        self.name = name
        self.users = list(zip(users, stack.tokens(users), strict=True))
        self.accepted_of_user = {user: set() for user in users}
        self.accepted_of_family = set()

    async def request(self, session, number):
        user, token = self.users[number // 2 % len(self.users)]
        if number % 2:
            path = ["notifications?pageSize=20", "notifications/unread-count"][number // 2 % 2]
            headers = {"Authorization": f"Bearer {token}"}
            async with session.get(f"{self.api}/api/v1/{path}", headers=headers) as answer:
                text = await answer.text()
                assert answer.status == 200, f"GET {path}: {answer.status} {text}"
            return
        title = f"{self.name} {number}"
        is_for_family = number % 40 == 0
        send = family_send(title) if is_for_family else user_send(user, title)
        status, text = await self.post(session, send)
        assert status == 202, f"POST: {status} {text}"
        (self.accepted_of_family if is_for_family else self.accepted_of_user[user]).add(title)


def family_send(title):
    return {"to": {"group": GROUP}, "type": "AllowanceDeposit", "title": title, "body": "Under load"}


def user_send(user, title):
    return {"to": {"users": [user]}, "type": "AllowanceDeposit", "title": title, "body": "Under load"}
