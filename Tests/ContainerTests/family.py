"""The demo family, and what arrived for it on each channel. Services/Workshop/Sources/Development/Story/DemoFamily.swift makes it."""

from collections import Counter
from dataclasses import dataclass

from waiting import until

GROUP = "family:demo"


@dataclass(frozen=True)
class Member:
    id: str
    email: str
    device: str


MEMBERS = [
    Member(f"4f9c1c1e-000{number}-4000-8000-00000000000{number}", f"{name}@example.com", f"demo-device-{name}")
    for number, name in enumerate(["maria", "tom", "ella"], start=1)
]


def inbox(stack, user):
    """Titles of all notifications of a user, the latest first."""
    titles, before, token = [], "", stack.token(user)
    while True:
        page = stack.call("GET", f"/api/v1/notifications?pageSize=50{before}", token)
        titles += [notification["title"] for notification in page["notifications"]]
        if not page["hasMore"]:
            return titles
        before = f"&before={page['notifications'][-1]['id']}"


class Arrivals:
    """What the simulator has taken since this was made: how often each title came to each device and each address."""

    def __init__(self, stack):
        self.stack = stack
        self.pushes, self.mails = Counter(), Counter()
        self.after = {"pushes": 0, "mails": 0}
        for kind in self.after:
            self._new(kind)

    def _new(self, kind):
        records = []
        while page := self.stack.call("GET", f"/api/{kind}?limit=10000&after={self.after[kind]}", base=self.stack.simulator)[kind]:
            self.after[kind] = page[-1]["sequence"]
            records += page
        return records

    def refresh(self):
        for push in self._new("pushes"):
            self.pushes[push["token"], push["message"]["notification"]["title"]] += 1
        for mail in self._new("mails"):
            for address in mail["recipients"]:
                self.mails[address, mail["subject"]] += 1

    def missing(self, titles):
        """What of these has not come to a member's device or address yet."""
        self.refresh()
        pushes = {(member.device, title) for member in MEMBERS for title in titles}
        mails = {(member.email, title) for member in MEMBERS for title in titles}
        return (pushes - self.pushes.keys()) | (mails - self.mails.keys())

    def until_complete(self, titles, within):
        missing = None

        def is_complete():
            nonlocal missing
            missing = self.missing(titles)
            return not missing

        try:
            until(f"all pushes and mails of {len(titles)} sends", is_complete, within, every=0.5)
        except AssertionError as error:
            raise AssertionError(f"{error}; missing {len(missing)}, of which {sorted(missing)[:5]}") from None

    @property
    def repeated(self):
        """Pushes and mails beyond the first to each device and address."""
        return sum(count - 1 for arrived in (self.pushes, self.mails) for count in arrived.values())


def assert_each_once_in_inboxes(stack, titles, prefix):
    """Each of the titles is once in each member's inbox, and nothing else that begins with the prefix."""
    for member in MEMBERS:
        counts = Counter(title for title in inbox(stack, member.id) if title.startswith(prefix))
        assert counts.keys() == titles, f"{member.email}: lost {titles - counts.keys()}, never accepted {counts.keys() - titles}"
        doubled = {title: count for title, count in counts.items() if count > 1}
        assert not doubled, f"{member.email}: {doubled}"


def until_drained(stack, within=90):
    """Waits until no queue holds anything; among them are those of dead letters and of the retry ladder."""
    held, depths = None, None

    def is_drained():
        nonlocal held, depths
        depths = stack.depths()
        held = {name: depth for name, depth in depths.items() if depth}
        return not held

    try:
        until("all queues empty", is_drained, within, every=0.5)
    except AssertionError:
        raise AssertionError(f"after {within} s queues still hold {held}") from None
    assert any(name.endswith(".parked") for name in depths)
