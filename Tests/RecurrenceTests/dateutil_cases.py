"""Random recurrence rules with the dates that python-dateutil finds for them, as JSON lines on standard output.

    dateutil_cases.py SEED COUNT

Each line: {"rule", "start", "time", "zone" or null, "horizon", "dates", "after", "next"}. `dates` are the first ten up to
the horizon, `next` the first three after `after`. `time` and
`zone` are those that an UNTIL with a time is compared in; without a zone, midnight in UTC.

dateutil is asked about the rule's text, with one exception: where BYDAY has values with and without ordinals, it wants
days that are both ("MO,1TU" is never), RFC 5545 days that are either. Such a rule is split in two, and the dates united.
"""
import datetime as datetime_module
import json
import random
import re
import sys
import zoneinfo
from datetime import date, datetime, time, timedelta, timezone

from dateutil.rrule import rrulestr

zoneinfo.reset_tzpath(to=[])
CODES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu", "Australia/Lord_Howe"]
DAYS = {"DAILY": 120, "WEEKLY": 500, "MONTHLY": 1500, "YEARLY": 3000}  # looked at, for an interval of 1


def some(random, values, most):
    return random.sample(values, random.randint(1, most))


def by_day(random, frequency, months):
    days = some(random, CODES, random.choice([1, 2, 7]))
    if frequency in ("DAILY", "WEEKLY") or random.random() < 0.35:
        return days
    most = 53 if frequency == "YEARLY" and not months else 5
    ordinals = [number for number in range(-most, most + 1) if number]
    result = [f"{random.choice(ordinals) if random.random() < 0.6 else random.choice([-1, 1, 2])}{day}" for day in days]
    if random.random() < 0.2:  # RFC 5545 allows a plus, and values without an ordinal beside those with one
        result = ["+" + value if value[0].isdigit() else value for value in result]
        result += [day for day in CODES if day not in days][:1]
    return result


def starting(random):
    if random.random() < 0.1:
        return date(random.choice([1896, 1904, 1996, 2000, 2024, 2028]), 2, 29)
    start = date(1890, 1, 1) + timedelta(days=random.randrange(210 * 365))
    if random.random() < 0.3:  # the ends of months and years
        start = start.replace(month=random.choice([1, 3, 5, 7, 8, 10, 12]), day=random.choice([1, 28, 29, 30, 31]))
    return start


def rule(random, start):
    frequency = random.choice(list(DAYS))
    interval = random.choices([1, random.randint(2, 5), random.randint(6, 40), random.randint(41, 1000)], [50, 35, 12, 3])[0]
    parts = [f"FREQ={frequency}"]
    months = random.random() < 0.35
    if interval > 1 or random.random() < 0.1:
        parts.append(f"INTERVAL={interval}")
    if months:
        parts.append("BYMONTH=" + ",".join(map(str, some(random, range(1, 13), random.choice([1, 3, 12])))))
    if frequency != "WEEKLY" and random.random() < 0.4:
        days = [day for day in range(-31, 32) if day]
        parts.append("BYMONTHDAY=" + ",".join(map(str, some(random, days, random.choice([1, 2, 6, 40])))))
    if random.random() < 0.5:
        parts.append("BYDAY=" + ",".join(by_day(random, frequency, months)))
    if random.random() < 0.4:
        parts.append("WKST=" + random.choice(CODES))
    random.shuffle(parts)
    return parts, start + timedelta(days=DAYS[frequency] * min(interval, 12) + (366 if months else 0))


def dates(parts, start, until):
    """The dates of a rule without COUNT and UNTIL, in order."""
    by_day = next((part for part in parts if part.startswith("BYDAY=")), "BYDAY=")
    values = by_day.removeprefix("BYDAY=").split(",")
    plain = [value for value in values if value in CODES]
    ways = [parts]
    if plain and len(plain) < len(values):
        ordinal = [value for value in values if value not in CODES]
        rest = [part for part in parts if part != by_day]
        ways = [rest + ["BYDAY=" + ",".join(days)] for days in (plain, ordinal)]
    end = f"UNTIL={until:%Y%m%dT%H%M%S}" + ("Z" if until.tzinfo else "")
    # Where dateutil gives up a search that finds nothing; it would go on for 8,000 years, and a second.
    datetime_module.MAXYEAR = until.year
    return sorted({found.date() for way in ways for found in rrulestr(";".join(way + [end]), dtstart=start)})


def case(random):
    start = starting(random)
    parts, horizon = rule(random, start)
    days = (horizon - start).days
    at, name, zone, count, ending = time(), None, None, None, []
    last = datetime.combine(horizon, time(23, 59, 59))
    kind = random.random()
    if kind < 0.25:
        count = random.choice([1, 2, 3, random.randint(1, 60)])
        ending = [f"COUNT={count}"]
    elif kind < 0.4:
        last = datetime.combine(start + timedelta(days=random.randrange(days)), time())
        ending = [f"UNTIL={last:%Y%m%d}"]
    elif kind < 0.5:
        # On a date's instant, or just beside it: most of these rules come often.
        name = random.choice(ZONES)
        zone = zoneinfo.ZoneInfo(name)
        at = time(random.randrange(24), random.choice([0, 30]))
        last = datetime.combine(start + timedelta(days=random.randrange(days)), at, zone).astimezone(timezone.utc)
        last += timedelta(seconds=random.choice([-86400, -3600, -1, 0, 0, 1, 3600]))
        ending = [f"UNTIL={last:%Y%m%dT%H%M%SZ}"]
    first = datetime.combine(start, at, zone)
    all = dates(parts, first, last)[:count]
    if count is not None and len(all) == count and random.random() < 0.2:
        # COUNT itself, where it ends before the horizon.
        mixed = re.search("BYDAY=.*[0-9]", ";".join(parts))
        assert mixed or all == [day.date() for day in rrulestr(";".join(parts + ending), dtstart=first)]
    after = start + timedelta(days=random.randrange(-40, days if random.random() < 0.7 else min(days, 400)))
    return {
        "rule": ";".join(parts + ending),
        "start": str(start),
        "time": str(at),
        "zone": name,
        "horizon": str(horizon),
        "dates": [str(day) for day in all[:10]],
        "after": str(after),
        "next": [str(day) for day in all if day > after][:3],
    }


def main():
    generator = random.Random(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        print(json.dumps(case(generator)))


main()
