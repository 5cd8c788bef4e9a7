"""A user's preferences, quiet hours and mutes, as docs/preferences.md has them."""

CHANNELS = ("inAppEnabled", "pushEnabled", "emailEnabled")
# Code, name, category, and the channels that are on unless the user chose otherwise.
CATALOGUE = [
    (1, "BalanceAlert", "Balance & Transactions", (True, True, False)),
    (10, "AllowanceDeposit", "Allowance", (True, True, False)),
    (12, "AllowancePaused", "Allowance", (True, False, False)),
    (20, "GoalProgress", "Goals & Savings", (True, True, False)),
    (99, "SystemAnnouncement", "System", (True, True, True)),
]
KINDS = {name: (code, name, category) for code, name, category, _ in CATALOGUE}


class Refused(Exception):
    """What is wrong, by field."""


class Settings:
    def __init__(self):
        self.types = {code: dict(zip(CHANNELS, on)) for code, _, _, on in CATALOGUE}
        self.master, self.paused_until, self.sound, self.badge = True, None, True, True
        self.timezone = None
        self.quiet = {"enabled": False, "startTime": None, "endTime": None}
        self.muted = {}

    def shown(self):
        categories = list(dict.fromkeys(category for _, _, category, _ in CATALOGUE))
        return {
            "preferences": [
                {"notificationType": code, "typeName": name, "category": category, **self.types[code]}
                for code, name, category, _ in CATALOGUE
            ],
            "categories": [
                {"category": category, **{channel: any(self.choices(category, channel)) for channel in CHANNELS}, **self.mixed(category)}
                for category in categories
            ],
            "notificationsEnabled": self.master, "pausedUntil": self.paused_until,
            "soundEnabled": self.sound, "badgeEnabled": self.badge,
            "timezone": self.timezone, "effectiveTimezone": self.timezone or "UTC",
            "quietHoursEnabled": self.quiet["enabled"],
            "quietHoursStart": self.quiet["startTime"], "quietHoursEnd": self.quiet["endTime"],
        }  # fmt: skip

    def choices(self, category, channel):
        return {self.types[code][channel] for code, _, of, _ in CATALOGUE if of == category}

    def mixed(self, category):
        channels = [channel.removesuffix("Enabled") for channel in CHANNELS if len(self.choices(category, channel)) > 1]
        return {"mixed": channels} if channels else {}

    def update(self, body):
        known = {"preferences", "categories", "notificationsEnabled", "pausedUntil", "soundEnabled", "badgeEnabled", "timezone"}
        if not known & body.keys():
            raise Refused({"": "at least one setting must be there"})
        listed = {item["notificationType"] for item in body.get("preferences") or ()}
        for item in body.get("categories") or ():
            codes = [code for code, _, category, _ in CATALOGUE if category == item["category"]]
            if not codes:
                raise Refused({"categories": f"{item['category']} is unknown"})
            for code in set(codes) - listed:
                self.types[code].update({channel: item[channel] for channel in CHANNELS if channel in item})
        for item in body.get("preferences") or ():
            if item["notificationType"] not in self.types or not all(channel in item for channel in CHANNELS):
                raise Refused({"preferences": "needs a known type and three switches"})
            self.types[item["notificationType"]].update({channel: item[channel] for channel in CHANNELS})
        self.master = body.get("notificationsEnabled", self.master)
        self.sound = body.get("soundEnabled", self.sound)
        self.badge = body.get("badgeEnabled", self.badge)
        self.paused_until = body.get("pausedUntil", self.paused_until)
        self.timezone = body.get("timezone", self.timezone)

    def update_quiet_hours(self, body):
        if not isinstance(body.get("enabled"), bool):
            raise Refused({"enabled": "is required"})
        quiet = dict(self.quiet, enabled=body["enabled"])
        for name in ("startTime", "endTime"):
            if body.get(name):
                quiet[name] = body[name] if body[name].count(":") == 2 else f"{body[name]}:00"
        if quiet["enabled"] and (not quiet["startTime"] or quiet["startTime"] == quiet["endTime"]):
            raise Refused({"endTime": "must not be the start"})
        self.quiet, self.timezone = quiet, body.get("timezone") or self.timezone

    def mutes(self):
        return {
            "muted": [{"entityType": kind, "entityId": id, "until": until} for (kind, id), until in self.muted.items()],
            "hasMore": False,
        }
