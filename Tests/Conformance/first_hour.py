"""Does on the simulator's page what a newcomer does in the first hour, and holds what the page shows against what was sent.

    python first_hour.py http://127.0.0.1:PORT/ [--data-dir .belfry] [--pictures .belfry/first-hour]

For a running `belfry-dev run` whose switches are off. Each check prints a line; the first that fails ends it with status 1 and says why.
"""

import argparse
import collections
import email.message
import http.server
import json
import re
import smtplib
import ssl
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "Tests/Chromium"))
from chromium import Browser

READER = Path(__file__).with_name("first_hour.js").read_text()


class Unfulfilled(Exception):
    """What the page or the system should have done, and did not."""


def expect(holds, what):
    if not holds:
        raise Unfulfilled(what)


class Simulator:
    """The simulator's control API: what truly arrived."""

    def __init__(self, url, data_directory):
        self.url = url.rstrip("/")
        self.directory = data_directory / "simulator"
        self.development = self.get("/api/development")
        self.people = {person["name"]: person for person in self.development["people"]}

    def get(self, path, base=None, token=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request((base or self.url) + path, headers=headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def pushes(self):
        """How often each phone or browser got each notification, whoever carries its pushes: `{(person, id): times}`."""
        names = {person["pushAddress"]: name for name, person in self.people.items()}
        return collections.Counter(
            (names.get(one.get("token") or one.get("endpoint")), one["notificationId"])
            for provider in ("pushes", "apns", "webpush")
            for one in self.get(f"/api/{provider}?limit=10000")["pushes"]
        )

    def mails(self):
        names = {person["email"]: name for name, person in self.people.items()}
        records = self.get("/api/mails?limit=10000")["mails"]
        return collections.Counter(
            (names.get(one["recipients"][0]), one["messageId"].strip("<>").split("@")[0])
            for one in records
            if one["messageId"]  # Belfry's have one.
        )

    def deliver(self, name, subject, html):
        """A mail to somebody that Belfry did not write."""
        mail = email.message.EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "stranger@example.org", self.people[name]["email"], subject
        mail.set_content("Plain.")
        mail.add_alternative(html, subtype="html")
        port = json.loads((self.directory / "ports.json").read_text())["smtp"]
        with smtplib.SMTP("localhost", port, timeout=20) as server:
            server.starttls(context=ssl.create_default_context(cafile=self.directory / "ca.pem"))
            server.login("belfry", "belfry")
            server.send_message(mail)

    def inboxes(self):
        """The ids in each person's inbox, as the gateway lists them to that person."""
        return {(name, id) for name in self.people for id in self._inbox(name)}

    def _inbox(self, name):
        token = self.people[name]["token"]
        ids, before = [], ""
        while True:
            page = self.get(f"/api/v1/notifications?pageSize=50{before}", base=self.development["gateway"], token=token)
            ids += [one["id"] for one in page["notifications"]]
            if not page.get("hasMore"):
                return ids
            before = f"&before={ids[-1]}"


class Newcomer:
    """Somebody in front of the page."""

    def __init__(self, page, simulator, pictures):
        self.page, self.simulator, self.pictures = page, simulator, pictures

    def send(self, name):
        """Presses a button, and gives what is new in the inboxes once all of it is there, and the page has a trace of it."""
        before = self.simulator.inboxes()
        newest = self.newest()
        self.page.click(f"[data-send='{name}']")
        self.until(
            f"a trace of {name}",
            lambda seen: seen["traces"] and seen["traces"][0]["id"] != newest and seen["traces"][0]["settledInApp"],
        )
        recipients = next(send["to"] for send in self.simulator.development["sends"] if send["name"] == name)
        expected = 60 if name == "burst" else len(recipients)
        self.until(f"{expected} in the inboxes", lambda _: len(self.simulator.inboxes() - before) >= expected)
        new = self.simulator.inboxes() - before
        expect(len(new) == expected, f"{expected} new in the inboxes by {name}, not {len(new)}")
        return new

    def newest(self):
        return next((trace["id"] for trace in self.see()["traces"]), None)

    def switch(self, name, on):
        self.page.click(f"[data-switch='{name}']")
        self.until(f"the switch {name} to be {'on' if on else 'off'}", lambda seen: seen["switches"][name] == on)

    def kill(self, name="kill-push"):
        self.page.click(f"[data-switch='{name}']")

    def see(self):
        return self.page.evaluate(READER)

    def until(self, what, holds, within=30):
        """Waits until what is seen is so; else says what was seen instead."""
        deadline = time.monotonic() + within
        while not holds(seen := self.see()):
            if time.monotonic() > deadline:
                story = " ".join(seen["story"])
                raise Unfulfilled(
                    f"{what}: not within {within} s. The page says: {story} {seen['equation']} {seen['result']}"
                )
            time.sleep(0.2)
        return seen

    def story(self, text, within=30):
        """Waits for words among the sentences of what is going on."""
        return self.until(f"“{text}” among what is going on", lambda seen: text in " ".join(seen["story"]), within)

    def picture(self, name):
        """Keeps the whole page as it is now."""
        width, height = self.page.evaluate("[innerWidth, innerHeight]")
        self.page.emulate(viewport=(width, self.page.evaluate("document.documentElement.scrollHeight")))
        self.page.screenshot(self.pictures / f"{name}.png")
        self.page.emulate(viewport=(width, height))


def shown(seen, place):
    """`{(person, id)}` of what the phones, bells or mailboxes show."""
    return {(name, id) for name, ids in seen[place].items() for id in ids}


def opens(one):
    seen = one.until(
        "three bells that are connected", lambda seen: list(seen["bellStates"].values()) == ["connected"] * 3
    )
    expect(
        list(seen["bells"]) == ["Maria", "Tom", "Ella"], f"Maria, Tom and Ella side by side, not {list(seen['bells'])}"
    )
    one.until("the connection to be live", lambda seen: seen["connection"] == "Live")
    expect(not any(seen["switches"].values()), f"all switches off at first, not {seen['switches']}")
    expect(not seen["laddersShown"], "no steps of retries while nothing waits on them")
    one.picture("1-opened")


def people_first(one):
    """What people get comes before what Belfry says of it, and is called what it is."""
    sections = one.page.evaluate("[...document.querySelectorAll('.stage > section')].map((each) => each.id)")
    expect(sections == ["people", "now", "trail"], f"the people first, not {sections}")
    heading = one.page.evaluate("document.querySelector('h1').textContent")
    expect("notifications" in heading, f"a heading that says what Belfry is for, not “{heading}”")
    devices = one.see()["devices"]
    expect(devices == {"Maria": "Phone iPhone", "Tom": "Phone Android", "Ella": "Browser Chrome"}, f"{devices}")


def no_void(one):
    """With one notification each, no part is higher than that needs."""
    one.until("a push, a bell and a mail for each", lambda seen: all(
        len(ids) == 1 for place in ("phones", "bells", "mailboxes") for ids in seen[place].values()
    ))  # fmt: skip
    carried = one.see()["carried"]
    expected = {"Maria": "1 by APNs", "Tom": "1 by FCM", "Ella": "1 by Web Push"}
    expect(carried == expected, f"each push with who carries it, not {carried}")
    # Of what was sent before the page was there, only those times are shown that somebody took.
    seen = one.until("the first send to be done", lambda seen: [one["status"] for one in seen["traces"]] == ["done"])
    first = seen["traces"][0]
    times = re.findall(r"\d+ ms", f"{first['way']} {[cell['inApp'] for cell in first['cells'].values()]}")
    expect("0 ms" not in times and len(times) <= 1, f"no times that nobody took, but {first}")
    heights = one.page.evaluate("""[...document.querySelectorAll('.person')].map((person) => {
      const bottom = (selector) => [...person.querySelectorAll(selector)].at(-1).getBoundingClientRect().bottom;
      return [bottom('.screen') - bottom('.push'), bottom('.mails') - bottom('.mail'), person.querySelector('belfry-bell').offsetHeight];
    })""")
    wrong = [each for each in heights if each[0] > 24 or each[1] > 8 or each[2] > 300]
    expect(not wrong, f"no void beneath one push, one mail and one item of the bell, but {heights}")


def documents(one):
    """The link leads somewhere, whether they are built or not."""
    expect(one.page.evaluate("document.querySelector('#docs-link').checkVisibility()"), "a link to the documents")
    try:
        answer = urllib.request.urlopen(one.simulator.url + "/docs/", timeout=10)
        text = answer.read().decode()
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        expect("make docs-site" in text, f"a page that says how to build them, not {text[:200]}")
    expect("Belfry" in text, f"a page on Belfry, not {text[:200]}")


def minute(clock):
    hours, minutes = re.search(r"(\d\d):(\d\d)", clock).groups()
    return int(hours) * 60 + int(minutes)


def by_one_clock(one, but=()):
    """All that is shown goes by the reader's clock; beside the names of those who travel is where they are, and their time there."""
    seen = one.see()
    now = minute(one.page.evaluate("new Date().toString()"))
    times = [*seen["clocks"], *(each["clock"] for each in seen["traces"])]
    times += seen["statusBars"].values()
    wrong = [each for each in times if (now - minute(each)) % 1440 > 15]
    expect(times and not wrong, f"the reader's clock everywhere, but {wrong}")
    away = [name for name, place in seen["places"].items() if place]
    expect(away == list(but), f"{but} away, not {away}")
    text = one.page.evaluate("document.body.innerText")
    zones = re.findall(r"\b(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/\w+", text)
    expect(not zones, f"places by names that people know, not {zones}")
    return seen


def on_a_phone(one):
    """What became of a tap is said at the bottom of the screen, and leads to the person."""
    one.page.emulate(viewport=(390, 844))
    one.page.reload()
    one.until("the bells", lambda seen: list(seen["bellStates"].values()) == ["connected"] * 3)
    folds = one.page.evaluate("[...document.querySelectorAll('.fold')].map((each) => each.open)")
    expect(not any(folds), "terminal and troubles folded up on a phone")
    new = one.send("goal")
    one.until("the bar to say what became of it", lambda seen: "delivered" in seen["result"])
    bar = one.page.evaluate("""(() => {
      const { bottom, left, right, height } = document.querySelector('#send-result').getBoundingClientRect();
      return [bottom - innerHeight, left, right - innerWidth, height < 140];
    })()""")
    expect(bar == [0, 0, 0, True], f"a low bar along the bottom of the screen, not {bar}")
    tops = one.page.evaluate(
        "['#people', '#now'].map((each) => document.querySelector(each).getBoundingClientRect().top + scrollY)"
    )
    expect(tops[0] < 844 and tops[1] < 1800, f"the people on the first screen, what goes on soon after, not at {tops}")
    one.page.screenshot(one.pictures / "11-phone-bar.png")
    one.page.click("#send-result .result-people a")
    place = "document.querySelector('.person:nth-child(3)').getBoundingClientRect().top"
    one.page.wait_for(f"{place} >= 0 && {place} < innerHeight / 2")
    beside = "(({ left, right }) => left >= 0 && right <= innerWidth)(document.querySelector('.person:nth-child(3)').getBoundingClientRect())"
    one.page.wait_for(beside)
    expect(new <= shown(one.see(), "bells"), "Ella's bell, which has it")
    one.page.click("#send-result > a")
    place = "document.querySelector('.trace').getBoundingClientRect().top"
    one.page.wait_for(f"{place} >= -1 && {place} < innerHeight / 2")
    findings = one.page.axe()
    expect(not findings, f"axe with the bar: {findings}")
    one.page.emulate(viewport=(1280, 900))
    one.page.reload()
    one.until("the bells", lambda seen: list(seen["bellStates"].values()) == ["connected"] * 3)


def every_place(one):
    """The allowance goes to three people in three places; the others where their types go."""
    pushes, mails = one.simulator.pushes(), one.simulator.mails()
    new = one.send("allowance")
    expect(
        sorted(name for name, _ in new) == ["Ella", "Maria", "Tom"], f"an allowance for each of the three, not {new}"
    )
    for place in ("phones", "bells", "mailboxes"):
        one.until(f"the allowance in all three {place}", lambda seen, place=place: new <= shown(seen, place))
    expect(one.simulator.pushes() - pushes == collections.Counter(new), "each phone got the allowance once")
    expect(one.simulator.mails() - mails == collections.Counter(new), "each mailbox got the allowance once")
    seen = one.until("the allowance to be done", lambda seen: seen["traces"][0]["status"] == "done")
    expect("9 delivered" in seen["traces"][0]["gist"], f"nine deliveries, not {seen['traces'][0]['gist']}")
    made = r"TOKEN=\$\(belfry token --role service --data-dir '?/[^')]+'?\)\ncurl "
    expect(re.match(made, seen["terminal"]), f"the call as a curl line, not {seen['terminal'][:60]}")
    expect("eyJ" not in seen["terminal"], "no token in it, which any process here could ask for")
    expect(one.simulator.development["gateway"] in seen["terminal"], "the gateway's address in the curl line")
    stations = ["request", "accepted", "routed", "first outcome", "last outcome"]
    seen = one.until(
        "each station of the allowance", lambda seen: all(station in seen["traces"][0]["way"] for station in stations)
    )
    way = seen["traces"][0]["way"]
    times = [float(number) * (1000 if unit == "s" else 1) for number, unit in re.findall(r"([\d.]+) (ms|s) ", way)]
    expect(times == sorted(times), f"the stations in the order of their times, not {way}")
    by_one_clock(one)
    for name, names in {"chat": ["Ella", "Maria"], "goal": ["Ella"], "urgent": None, "reminder": ["Maria"]}.items():
        new = one.send(name)
        expect(new and (names is None or sorted(each for each, _ in new) == names), f"{name} for {names}, not {new}")
        one.until(
            f"{name} on phones and in bells",
            lambda seen, new=new: new <= shown(seen, "phones") and new <= shown(seen, "bells"),
        )
    one.picture("2-sent")


def taps(one):
    """A button on a phone reaches Belfry, and an opened push is read in the bell."""
    card = "[aria-label='Ella’s browser'] .push:has(.push-actions)"
    one.page.click(f"{card} .push-actions button")
    one.until("the tapped button to be confirmed", lambda seen: any("was tapped" in each for each in seen["said"]))
    unread = one.see()["unread"]["Ella"]
    one.page.click("[aria-label='Ella’s browser'] .push:first-child .push-open")
    one.until("the bell to have one unread less", lambda seen: seen["unread"]["Ella"] == unread - 1)


def mail_is_safe(one):
    one.page.click("[aria-label='Maria’s mailbox'] .mail-subject")
    frame = one.page.wait_for(
        "document.querySelector('.mail-frame')?.outerHTML && document.querySelector('.mail-frame').getAttribute('sandbox') + '|' + document.querySelector('.mail-frame').src"
    )
    expect(frame.startswith("|"), f"a mail's frame with an empty sandbox, not {frame}")
    answer = urllib.request.urlopen(frame[1:], timeout=10)
    policy = answer.headers["Content-Security-Policy"]
    expect(
        "sandbox" in policy and "default-src 'none'" in policy and "script-src" not in policy,
        f"a policy for the mail, not {policy}",
    )
    expect(one.page.evaluate("document.querySelector('.mail-frame').contentDocument === null"), "a mail of no origin")
    loaded = "(url) => performance.getEntriesByName(url).some((entry) => entry.responseEnd > 0)"
    one.page.wait_for(loaded, frame[1:])
    one.picture("3-mail")
    one.page.click(".plain")
    text = one.page.evaluate("document.querySelector('.mail-text:not([hidden])')?.textContent ?? ''")
    expect("allowance" in text.lower(), f"the mail as plain text, not {text}")
    one.page.click("[aria-label='Maria’s mailbox'] .mail-subject[aria-expanded=true]")


def hostile_mail(one):
    """Whoever writes to the mail server runs nothing in the page, and learns nothing from it."""
    asked = []

    class Spy(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Spy) as spy:
        threading.Thread(target=spy.serve_forever, daemon=True).start()
        elsewhere = f"http://127.0.0.1:{spy.server_port}"
        one.simulator.deliver("Tom", "<b>Hostile</b>", f"""<p id="here">Hello</p>
            <script>top.document.title = "taken"; fetch("{elsewhere}/script")</script>
            <img src="{elsewhere}/image" onerror="fetch('{elsewhere}/handler')"><style>@import "{elsewhere}/style";</style>
            <iframe src="{elsewhere}/frame"></iframe><meta http-equiv="refresh" content="0; url={elsewhere}/refresh">
            <form action="{elsewhere}/form"><button autofocus>Go</button></form>""")
        one.page.wait_for("[...document.querySelectorAll('.mail-subject')].some((one) => one.textContent.includes('<b>Hostile</b>'))")
        one.page.click("[aria-label='Tom’s mailbox'] .mail-subject")
        frame = one.page.wait_for("document.querySelector('.mail-frame')?.src")
        one.page.wait_for("(url) => performance.getEntriesByName(url).some((entry) => entry.responseEnd > 0)", frame)
        # What a frame may load it asks for before the next frame of the page, and this one's own answer has come after that.
        one.page.evaluate("(url) => fetch(url).then((answer) => answer.text())", frame)
        one.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        expect(asked == [], f"nothing asked for elsewhere, not {asked}")
        expect(one.page.evaluate("document.title") != "taken", "a title that no mail changes")
        spy.shutdown()
    one.page.click("[aria-label='Tom’s mailbox'] .mail-subject[aria-expanded=true]")


def killed_idle(one):
    """A kill that interrupts nothing says so."""
    one.kill()
    one.story("was killed, and is up again", within=60)
    one.story("Nothing was on its way through it")


DOWN = {"fcm-down": ("FCM", "Tom"), "apns-down": ("APNs", "Maria"), "web-push-down": ("Web Push", "Ella")}


def providers_down(one):
    """Who gets pushes by another provider than the one that is down does not wait for it."""
    one.switch("fcm-down", True)
    new = one.send("allowance")
    one.story("FCM is down since ")
    seen = one.story("1 push waits")
    one.until("something on the ladder", lambda seen: sum(seen["ladder"].values()) > 0 and seen["laddersShown"])
    one.story("Next try in ")
    others = {each for each in new if each[0] != "Tom"}
    one.until("the phones that FCM does not push to", lambda seen: others <= shown(seen, "phones"))
    seen = one.until("the bells, which do not wait for FCM", lambda seen: new <= shown(seen, "bells"))
    expect(not (new - others) & shown(seen, "phones"), "no phone that FCM could not reach shows the allowance")
    expect("FCM is down" in seen["notes"]["Tom"], f"Tom's phone says why, not “{seen['notes']['Tom']}”")
    one.picture("4-fcm-down")
    for name in ("apns-down", "web-push-down"):
        one.switch(name, True)
    more = one.send("chat")
    for name, (provider, person) in DOWN.items():
        one.story(f"{provider} is down since ")
        one.until(
            f"{person}'s note on {provider}",
            lambda seen, provider=provider, person=person: f"1 push on the way: {provider} is down" in seen["notes"][person],
        )
    expect(not more & shown(one.see(), "phones"), "no phone or browser that nobody could reach shows the chat")
    one.picture("4-providers-down")
    for name in DOWN:
        one.switch(name, False)
    # APNs and browsers' push services are tried again after half a minute.
    arrives_once(one, new | more, within=120)


def arrives_once(one, new, within=60):
    one.until("what waited on the phones", lambda seen: new <= shown(seen, "phones"), within)
    one.until("nothing on the ladder", lambda seen: sum(seen["ladder"].values()) == 0 and not seen["laddersShown"], within)
    times = one.simulator.pushes()
    wrong = {each: times[each] for each in new if times[each] != 1}
    expect(not wrong, f"each push once, but {wrong}")
    phones = one.see()["phones"]
    double = [name for name, ids in phones.items() if len(ids) != len(set(ids))]
    expect(not double, f"no push twice on a phone, but {double}")


def burst(one):
    """60 with all push providers down and a dispatcher killed: 60 pushes afterwards, once each."""
    before = one.simulator.pushes()
    for name in DOWN:
        one.switch(name, True)
    new = one.send("burst")
    one.until("the ladder to fill", lambda seen: sum(seen["ladder"].values()) > 0)
    expect(not new & shown(one.see(), "phones"), "nothing of the burst on any phone")
    one.kill()
    # At once: whoever comes after the one that was killed finds providers that work.
    for name in DOWN:
        one.switch(name, False)
    one.story("was killed, and is up again", within=60)
    one.story("60 pushes were on the way. The queue has kept them")
    one.picture("5-burst")
    one.until("the burst in the bells", lambda seen: new <= shown(seen, "bells"))
    arrives_once(one, new, within=120)
    expect(one.simulator.pushes() - before == collections.Counter(new), "60 pushes, once each, and no others")
    one.until("the page to say that all is well", lambda seen: "All is well" in " ".join(seen["story"]), within=60)
    one.picture("6-drained")


def slow_mail(one):
    one.switch("slow-mail", True)
    new = one.send("allowance")
    one.until("the phones without waiting for mail", lambda seen: new <= shown(seen, "phones"))
    one.story("The mail server is slow")
    one.switch("slow-mail", False)
    one.until("the mails", lambda seen: new <= shown(seen, "mailboxes"), within=60)
    expect(all(one.simulator.mails()[each] == 1 for each in new), "each mail once")


def maria_at_night(one):
    one.switch("night", True)
    one.story("It is night for Maria")
    new = one.send("reminder")
    seen = one.story("1 push waits until 07:00")
    expect(
        "Quiet hours until 07:00" in seen["notes"]["Maria"],
        f"the phone says until when, not “{seen['notes']['Maria']}”",
    )
    expect(not new & shown(seen, "phones"), "no push in quiet hours")
    one.until("the bell, which has it at once", lambda seen: new <= shown(seen, "bells"))
    urgent = one.send("urgent")
    one.until(
        "the alert on Maria's phone at night",
        lambda seen: {each for each in urgent if each[0] == "Maria"} <= shown(seen, "phones"),
    )
    seen = by_one_clock(one, but=["Maria"])
    clocks = one.simulator.get("/api/development/state")["clocks"]
    there = next(each for each in clocks if each["user"] == one.simulator.people["Maria"]["id"])
    place = seen["places"]["Maria"]
    expect(place.startswith(f"in {there['place']}, "), f"where Maria is, not “{place}”")
    apart = (minute(there["time"]) - minute(place)) % 1440
    expect(apart in (0, 1, 1439), f"what clocks show there at this moment, {there['time']}, not “{place}”")
    one.picture("7-night")
    one.switch("night", False)
    arrives_once(one, new, within=90)


def ella_reads(one):
    one.switch("reading", True)
    one.story("Ella has “Weekend plans” on the screen")
    new = one.send("chat")
    one.until(
        "the chat on Maria's phone", lambda seen: {each for each in new if each[0] == "Maria"} <= shown(seen, "phones")
    )
    seen = one.until("the chat to be done", lambda seen: seen["traces"][0]["status"] == "done")
    hers = {each for each in new if each[0] == "Ella"}
    expect(hers and not hers & shown(seen, "phones"), "no push about what Ella reads")
    one.until("her bell, which has it", lambda seen: hers <= shown(seen, "bells"))
    expect(
        "left out" in seen["traces"][0]["cells"]["Ella"]["push"], f"the trace says so, not {seen['traces'][0]['cells']}"
    )
    one.picture("8-reading")
    one.switch("reading", False)
    arrives_once(one, one.send("chat"))


def toms_phone(one):
    one.switch("phone-gone", True)
    for attempt in ("refused", "left out"):
        new = one.send("allowance")
        seen = one.until("the allowance to be done", lambda seen: seen["traces"][0]["status"] == "done", within=60)
        cell = seen["traces"][0]["cells"]["Tom"]["push"]
        expect(attempt in cell, f"Tom's push {attempt}, not {cell}")
        one.until(
            "Tom's mail and bell all the same",
            lambda seen, new=new: (
                {each for each in new if each[0] == "Tom"} <= shown(seen, "bells") & shown(seen, "mailboxes")
            ),
        )
    one.story("Tom’s phone is gone")
    one.picture("9-phone-gone")
    one.switch("phone-gone", False)
    arrives_once(one, one.send("allowance"))


def balance(one):
    """Everything that was accepted is somewhere, and nothing came twice."""
    seen = one.until("nothing to wait any more", lambda seen: seen["equation"]["waiting"] == 0, within=60)
    sums = seen["equation"]
    expect(
        sums["accepted"] == sums["arrived"] + sums["waiting"] + sums["refused"] + sums["left"],
        f"all to be the sum, not {sums}",
    )
    expect(sums["left"] > 0, f"what was left out counted, too, not {sums}")
    expect(sums["arrived"] > 150, f"all of it counted, not {sums}")
    expect("nothing came twice" in seen["twice"], f"nothing twice, not “{seen['twice']}”")
    doubles = [each for each, times in one.simulator.pushes().items() if times > 1]
    expect(not doubles, f"no push twice, but {doubles}")


def keyboard(one):
    """Everything is reached by Tab, and worked by Enter and Space."""
    page = one.page
    newest = one.newest()
    page.reload()
    one.until("the traces that were there before", lambda seen: seen["traces"] and seen["traces"][0]["id"] == newest)
    page.press("Tab")
    expect(page.focused().name == "Skip to sending", f"first the way to sending, not “{page.focused().name}”")
    page.press("Enter")
    focused = (
        "(({ dataset, id, tagName }) => dataset.send ?? dataset.switch ?? (id || tagName))(document.activeElement)"
    )
    path = []
    while len(path) < 40 and path[-1:] != ["phone-gone"]:
        page.press("Tab")
        path.append(page.evaluate(focused))
        if path[-1] == "allowance":
            page.press("Enter")
            one.until("a send by Enter", lambda seen: seen["traces"][0]["id"] != newest)
    sends = [send["name"] for send in one.simulator.development["sends"]]
    switches = [switch["name"] for switch in one.simulator.development["switches"]]
    missing = {*sends, "tab-curl", "copy", "terminal-text", *switches} - set(path)
    expect(not missing, f"all that can be pressed on the way by Tab, which was {path} without {missing}")
    ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    expect(ring == "solid", "a visible ring around what has the focus")
    for is_on in (True, False):
        page.press(" ")
        one.until("a switch by Space", lambda seen, is_on=is_on: seen["switches"]["phone-gone"] == is_on)


def connection(one):
    one.page.offline()
    one.page.evaluate("dispatchEvent(new Event('online'))")  # so that the page asks again at once
    one.until("the loss to be shown", lambda seen: seen["connection"].startswith("Connection lost at "))
    one.picture("10-connection-lost")
    one.page.offline(False)
    one.until("the connection to be back", lambda seen: seen["connection"] == "Live")


def looks(one):
    """Nothing that axe finds, in light and dark, wide and narrow; nothing wider than the screen; motion only for who wants it."""
    for dark in (False, True):
        for width in (1280, 360):
            one.page.emulate(dark=dark, viewport=(width, 900))
            one.page.wait_for("document.getAnimations().every((one) => one.playState !== 'running')")
            findings = one.page.axe()
            expect(not findings, f"axe at {width} px, {'dark' if dark else 'light'}: {findings}")
            over = one.page.evaluate("document.documentElement.scrollWidth") - width
            expect(over <= 0, f"nothing wider than {width} px, but by {over}")
            one.picture(f"look-{width}-{'dark' if dark else 'light'}")
    one.page.emulate(dark=False, reduced_motion=True, viewport=(1280, 900))
    moving = one.page.evaluate(
        "[...document.querySelectorAll('*')].filter((each) => each.getAnimations().length).length"
    )
    expect(
        moving == 0 and one.page.evaluate("getComputedStyle(document.querySelector('.push')).animationName") == "none",
        "no motion where it is reduced",
    )


def stays_small(one):
    """However much was sent, the document is bounded."""
    nodes = one.page.evaluate("document.querySelectorAll('*').length")
    expect(nodes < 3000, f"a bounded document, not {nodes} elements")
    # Tom's phone shows the first of many.
    pushes = "document.querySelector('[aria-label^=\"Pushes on Tom\"]')"
    expect(one.page.evaluate(f"{pushes}.matches('.goes-on')"), "a list that fades where it is cut off")
    one.page.evaluate(f"{pushes}.scrollTop = {pushes}.scrollHeight")
    one.page.wait_for(f"!{pushes}.matches('.goes-on')")


def obeys(one):
    expect(not one.page.violations, f"no violation of the content security policy, but {one.page.violations}")
    expect(not one.page.errors, f"no error in the page, but {one.page.errors}")


CHECKS = [
    opens, people_first, no_void, documents, every_place, taps, on_a_phone, mail_is_safe, looks, killed_idle, providers_down, burst, slow_mail, maria_at_night, ella_reads,
    toms_phone, keyboard, balance, connection, stays_small, obeys, hostile_mail,
]  # fmt: skip


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", help="the page's address, as `belfry-dev run` prints it")
    parser.add_argument("--data-dir", type=Path, default=ROOT / ".belfry", help="that of `belfry-dev run`")
    parser.add_argument("--pictures", type=Path, default=ROOT / ".belfry/first-hour", help="folder for screenshots")
    parser.add_argument("--only", nargs="*", choices=[check.__name__ for check in CHECKS], help="these checks alone")
    return parser.parse_args()


def main():
    options = parse()
    simulator = Simulator(options.url, options.data_dir)
    (options.pictures / "failed.png").unlink(missing_ok=True)
    with Browser() as browser, browser.context() as context:
        page = context.page("about:blank", width=1280, height=900)
        # The reader is elsewhere than the family, whose clock counts.
        page.emulate(viewport=(1280, 900), timezone="Asia/Kathmandu")
        page.open(options.url)
        page.wait_for(
            "document.querySelectorAll('.person').length > 0 && document.querySelectorAll('.switch').length > 0"
        )
        one = Newcomer(page, simulator, options.pictures)
        for check in CHECKS:
            if options.only and check.__name__ not in options.only:
                continue
            began = time.monotonic()
            try:
                check(one)
            except (Unfulfilled, TimeoutError) as error:
                one.picture("failed")
                print(f"failed: {check.__name__}: {error}\n{page.report()}", file=sys.stderr)
                return 1
            print(f"ok {check.__name__} ({time.monotonic() - began:.1f} s)", flush=True)
    print(f"Pictures are in {options.pictures}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
