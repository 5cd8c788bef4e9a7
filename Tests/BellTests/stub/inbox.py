"""What a user has: notifications, what became of them, and settings. No I/O; what connections get goes to `publish`."""

import datetime
import itertools
import json
import time
import uuid

UTC = datetime.timezone.utc
MAXIMUM_PUBLISHED = 100
MAXIMUM_CHANGES = 500


def rfc3339(moment):
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now():
    return rfc3339(datetime.datetime.now(UTC))


def text_of(data):
    """As Belfry stores it: JSON in which all values are texts."""
    if not data:
        return None
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in data.items()}
    return json.dumps(texts, separators=(",", ":"), sort_keys=True)


class NotFound(Exception):
    pass


class Inbox:
    """Follows InboxOperation.swift: what an operation changes, what it leaves, and what it reports."""

    _counter = itertools.count(int(time.time() * 1000) << 12)

    def __init__(self, publish=lambda target, *arguments: None):
        self.publish = publish
        self.rows = {}
        self.seq = 0
        self.change = 0
        self.lost_change = 0
        self.lost_seq = 0
        self.log = []  # (change, after_seq, id)
        self.opened, self.acted = [], []

    # What there is

    @property
    def unread(self):
        return sum(1 for row in self.rows.values() if in_inbox(row) and not row["isRead"])

    @property
    def unseen(self):
        return sum(1 for row in self.rows.values() if in_inbox(row) and not row["isRead"] and not row["seenAt"])

    def list(self, archived=False, snoozed=False, unread_only=False, category=None, type=None):
        """The newest first: each id is greater than those before."""
        return [
            row
            for row in reversed(self.rows.values())
            if bool(row["archivedAt"]) == archived
            and bool(row["snoozedUntil"]) == snoozed
            and not (unread_only and row["isRead"])
            and category in (None, row["category"])
            and type in (None, str(row["type"]), row["typeName"])
        ]

    def item(self, id):
        if id not in self.rows:
            raise NotFound(id)
        return self.rows[id]

    # What happens

    def add(self, title, body="", kind=None, *, data=None, age=0, related=(None, None), actions=(), priority="normal", quiet=False):
        """A new notification, `age` seconds old. `kind` is code, name and category of its type."""
        code, name, category = kind or (99, "SystemAnnouncement", "System")
        self.seq += 1
        # Version 7, one after the other even within a millisecond.
        count = next(self._counter)
        id = uuid.UUID(int=(count >> 12) << 80 | 7 << 76 | (count & 0xFFF) << 64 | 2 << 62 | uuid.uuid4().int >> 66)
        row = {
            "id": str(id), "seq": self.seq, "type": code, "typeName": name, "category": category, "title": title, "body": body,
            "data": text_of(data), "dataObject": data or None,
            "isRead": False, "readAt": None, "seenAt": None, "openedAt": None, "archivedAt": None, "snoozedUntil": None,
            "createdAt": rfc3339(datetime.datetime.now(UTC) - datetime.timedelta(seconds=age)),
            "relatedEntityType": related[0], "relatedEntityId": related[1],
            "actions": [{"id": action, "title": words} for action, words in actions],
            "priority": priority, "timeAgo": "Just now",
        }  # fmt: skip
        self.rows[row["id"]] = row
        if not quiet:
            self.publish("ReceiveNotification", dict(row))
            self.publish("UnreadCountChanged", self.unread)
        return row["id"]

    def read(self, ids=None):
        return self._act(
            ids, lambda row: not row["isRead"], in_inbox,
            lambda row: row.update(isRead=True, readAt=now(), seenAt=row["seenAt"] or now()), "NotificationRead",
        )  # fmt: skip

    def unread_again(self, id):
        return self._act([id], lambda row: row["isRead"], None, lambda row: row.update(isRead=False, readAt=None))

    def see(self, ids=None):
        return self._act(
            ids, lambda row: not row["isRead"] and not row["seenAt"], in_inbox, lambda row: row.update(seenAt=now())
        )

    def open(self, id):
        self.opened.append(id)
        return self._act(
            [id], lambda row: not row["openedAt"], None, lambda row: row.update(openedAt=now(), seenAt=row["seenAt"] or now())
        )

    def act(self, id, action):
        if action not in [known["id"] for known in self.item(id)["actions"]]:
            raise NotFound(action)
        self.acted.append((id, action))

    def archive(self, id):
        return self._act(
            [id], lambda row: not row["archivedAt"], None, lambda row: row.update(archivedAt=now(), snoozedUntil=None)
        )

    def unarchive(self, id):
        return self._act([id], lambda row: row["archivedAt"], None, lambda row: row.update(archivedAt=None))

    def snooze(self, id, until):
        return self._act(
            [id], lambda row: row["snoozedUntil"] != until, None, lambda row: row.update(snoozedUntil=until, archivedAt=None)
        )

    def wake(self, id):
        return self._act(
            [id], lambda row: row["snoozedUntil"], None,
            lambda row: row.update(snoozedUntil=None, isRead=False, readAt=None, seenAt=None),
        )  # fmt: skip

    def delete(self, ids=None):
        return self._act(ids, lambda row: True, lambda row: in_inbox(row) and row["isRead"], None, "NotificationDeleted")

    def _act(self, ids, condition, all, change, target="NotificationChanged"):
        """Changes what the condition holds for: of `ids`, or, where none are given, of all."""
        rows = [row for row in self.rows.values() if all(row)] if ids is None else [self.rows.get(id) for id in ids]
        changed = [row for row in rows if row and condition(row)]
        for row in changed:
            change(row) if change else self.rows.pop(row["id"])
        if not changed:
            return 0
        if len(changed) > MAXIMUM_PUBLISHED:
            self.change += 1
            self.lost_change, self.lost_seq, self.log = self.change, self.seq, []
        else:
            for row in changed:
                self.change += 1
                self.log.append((self.change, self.seq, row["id"]))
                self.publish(target, dict(row) if target == "NotificationChanged" else row["id"])
            for lost in self.log[:-MAXIMUM_CHANGES]:
                self.lost_change, self.lost_seq = lost[0], max(self.lost_seq, lost[1])
            self.log = self.log[-MAXIMUM_CHANGES:]
        self.publish("UnreadCountChanged", self.unread)
        return len(changed)

    # What was missed

    def since(self, seq):
        """What came after, the oldest first."""
        return sorted((row for row in self.rows.values() if row["seq"] > seq and in_inbox(row)), key=lambda row: row["seq"])

    def revisions(self, seq, change=None):
        """What became of the notifications up to `seq`: those that are otherwise by now, those that are gone, and if that is all."""
        latest = {}
        for number, after_seq, id in self.log:
            if number > change if change is not None else after_seq >= seq:
                latest[id] = number
        ids = sorted(latest, key=latest.get)
        changed = [self.rows[id] for id in ids if id in self.rows]
        changed = [row for row in changed if not in_inbox(row) or row["seq"] <= seq]
        is_complete = seq == 0 or seq > self.lost_seq or (change is not None and self.lost_change <= change <= self.change)
        return changed, [id for id in ids if id not in self.rows], is_complete


def in_inbox(row):
    return not row["archivedAt"] and not row["snoozedUntil"]
