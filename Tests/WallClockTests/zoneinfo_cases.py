"""Questions about zones with the answers of Python's zoneinfo, as JSON lines on standard output.

    zoneinfo_cases.py SEED CHANGES DATABASE

DATABASE is a folder of TZif files, or `tzdata` for that of the PyPI package. As with PYTHONTZPATH=DATABASE, no other is
read. The first line names the folder, its version (of its tzdata.zi, if it has one) and its zones. Each other line is a question of one kind, with its answer; instants are Unix seconds:

    {"kind": "offset", "zone", "at", "offset"}
    {"kind": "local", "zone", "date", "time", "at"}          when clocks there show it: first occurrence, or end of the gap
    {"kind": "quiet", "zone", "start", "end", "at", "window": [lower, upper] or null}

CHANGES is how many changes of the offset are drawn for each zone from those of 1970 to 2037; with 0, only the first
line is written.
"""
import importlib.resources
import json
import pathlib
import random
import struct
import sys
import zoneinfo
from datetime import date, datetime, time, timedelta, timezone

PACKAGE = "tzdata"
DATABASE = pathlib.Path(importlib.resources.files(PACKAGE) / "zoneinfo" if sys.argv[3] == PACKAGE else sys.argv[3])
zoneinfo.reset_tzpath(to=[str(DATABASE)])
EPOCH = datetime(1970, 1, 1)
FIRST, LAST, DAY = 0, 2145916800, 86400  # 1970-01-01, 2038-01-01
OLDEST, LATEST = -2208988800, 4102444800  # 1900-01-01, 2100-01-01: what is asked for offsets alone
DAYS = [date(1970, 1, 3) + timedelta(days=number) for number in range((LAST - FIRST) // DAY - 7)]


def offset(zone, at):
    return int(datetime.fromtimestamp(at, timezone.utc).astimezone(zone).utcoffset().total_seconds())


def stored_changes(name):
    """Instants listed in the zone's TZif file (RFC 9636), whether or not they change the offset."""
    data = DATABASE.joinpath(name).read_bytes()
    # Behind the header: counts of UT, standard and leap second entries, transitions, types, characters.
    ut, std, leap, times, types, chars = struct.unpack(">6l", data[20:44])
    second = 44 + times * 5 + types * 6 + chars + leap * 8 + std + ut  # the block of version 2, of 64-bit times
    times = struct.unpack(">l", data[second + 32 : second + 36])[0]
    return list(struct.unpack(f">{times}q", data[second + 44 : second + 44 + times * 8]))


def changes(name, zone):
    """All instants of 1970 to 2037 at which the offset changes, as (at, before, after)."""
    found = {at for at in stored_changes(name) if FIRST < at < LAST}
    # Later ones follow a rule: look every ten days, then halve.
    low = max(found, default=FIRST)
    while low < LAST:
        high = low + 10 * DAY
        if offset(zone, low) != offset(zone, high):
            left, right = low, high
            while right - left > 1:
                middle = (left + right) // 2
                left, right = (middle, right) if offset(zone, middle) == offset(zone, left) else (left, middle)
            found.add(right)
        low = high
    all = [(at, offset(zone, at - 1), offset(zone, at)) for at in sorted(found)]
    return [change for change in all if change[1] != change[2]]


def instant(zone, changes, day, at):
    """When clocks in the zone show a date and time, by PEP 495: fold 0 is the first of two."""
    local = datetime.combine(day, at)
    result = int((local.replace(tzinfo=zone) - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds())
    if datetime.fromtimestamp(result, zone).replace(tzinfo=None) == local:
        return result
    wall = int((local - EPOCH).total_seconds())
    (end,) = [change[0] for change in changes if change[0] + change[1] <= wall < change[0] + change[2]]
    return end


def window(zone, changes, start, end, at):
    """The stretch of quiet hours around an instant; windows that meet are one."""
    today = datetime.fromtimestamp(at, zone).date()
    windows = []
    for days in range(-5, 6):
        day = today + timedelta(days=days)
        lower = instant(zone, changes, day, start)
        upper = instant(zone, changes, day if start < end else day + timedelta(days=1), end)
        if lower < upper:
            if windows and windows[-1][1] >= lower:
                windows[-1][1] = upper
            else:
                windows.append([lower, upper])
    return next((window for window in windows if window[0] <= at < window[1]), None)


def clock(seconds):
    seconds %= DAY
    return time(seconds // 3600, seconds // 60 % 60, seconds % 60)


def questions(random, name, zone, changes, count):
    def ask_offset(at):
        return {"kind": "offset", "at": at, "offset": offset(zone, at)}

    def ask_local(day, at):
        return {"kind": "local", "date": str(day), "time": str(at), "at": instant(zone, changes, day, at)}

    def ask_quiet(start, end, at):
        answer = window(zone, changes, start, end, at)
        return {"kind": "quiet", "start": str(start), "end": str(end), "at": at, "window": answer}

    near = [change for change in changes if FIRST + 7 * DAY < change[0] < LAST - 7 * DAY]
    for at, before, after in random.sample(near, min(count, len(near))):
        yield from (ask_offset(at - 1), ask_offset(at), ask_offset(at + random.randrange(1, DAY)))
        low, high = sorted([at + before, at + after])  # the gap's or the overlap's wall clock
        for wall in (low - 1, low, random.randrange(low, high), high - 1, high, random.randrange(low - DAY, high + DAY)):
            local = EPOCH + timedelta(seconds=wall)
            yield ask_local(local.date(), local.time())
        for _ in range(3):
            # Bounds within the gap or overlap and beside it, to the minute as people write them or to the second.
            unit = random.choice([1, 60, 1800])
            around = [clock(random.randrange(low - 5400, high + 5400) // unit * unit), clock(random.randrange(0, DAY, unit))]
            random.shuffle(around)
            if around[0] != around[1]:
                yield ask_quiet(*around, at + random.choice([-1, 0, 1, random.randrange(-3 * DAY, 3 * DAY)]))
    for _ in range(8):
        yield ask_offset(random.randrange(FIRST, LAST))
        yield ask_local(random.choice(DAYS), clock(random.randrange(DAY)))
        start, end = random.sample(range(0, DAY, 60), 2)
        yield ask_quiet(clock(start), clock(end), random.randrange(FIRST + 7 * DAY, LAST - 7 * DAY))
        yield ask_offset(random.randrange(OLDEST, FIRST))
        yield ask_offset(random.randrange(LAST, LATEST))


def names():
    """The folder's zones: not the copies in posix/ and right/, nor those of this machine's own."""
    for path in sorted(DATABASE.rglob("*")):
        name = path.relative_to(DATABASE)
        if name.parts[0] not in ("posix", "right", "posixrules", "localtime") and path.is_file():
            with path.open("rb") as file:
                if file.read(4) == b"TZif":
                    yield str(name)


def version():
    try:
        return DATABASE.joinpath("tzdata.zi").read_text().split()[2]
    except OSError:
        return "unknown"


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    zones = list(names())
    print(json.dumps({"directory": str(DATABASE), "version": version(), "zones": zones}))
    # Factory stands for a machine that nobody has set up; Belfry refuses it.
    for name in [name for name in zones if name != "Factory"] if count > 0 else []:
        zone = zoneinfo.ZoneInfo(name)
        for question in questions(random.Random(f"{seed} {name}"), name, zone, changes(name, zone), count):
            print(json.dumps(question | {"zone": name}))


main()
