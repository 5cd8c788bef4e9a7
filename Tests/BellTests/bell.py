"""A page with a bell, as its reader sees it and as the host's scripts do."""

import pathlib
import time

SCRIPT = pathlib.Path(__file__).with_name("bell.js").read_text()
SHOTS = pathlib.Path(__file__).resolve().parents[2] / ".belfry/bell"


class Bell:
    """One `<belfry-bell>` in a page. Expressions use what bell.js defines."""

    def __init__(self, page, person):
        self.page, self.person = page, person
        page.before_load(SCRIPT)

    def get(self, expression, *arguments):
        return self.page.evaluate(expression, *arguments)

    def wait_for(self, expression, *arguments, within=10):
        return self.page.wait_for(expression, *arguments, within=within)

    def part(self, name):
        """The selector of a part."""
        return f"belfry-bell >>> [part~={name}]"

    def open(self):
        """Opens the panel as a reader does, and waits until the list is there."""
        self.page.click(self.part("button"))
        self.wait_for("isOpen() && shown('list')?.getAttribute('aria-busy') !== 'true'")
        return self

    @property
    def unread(self):
        return self.get("bell.unreadCount")

    @property
    def modules(self):
        """The bell's modules that the page has loaded, without folders and the hashes of their content."""
        return self.get("modules()")

    @property
    def badge(self):
        """What the badge says; empty where there is none to be seen."""
        return self.get("text('badge')")

    @property
    def rows(self):
        """The titles of the rows that are drawn, from top to bottom."""
        return self.get("rows()")

    def shows(self, *titles, within=10):
        """Waits until these rows are drawn, and no others."""
        self.wait_for("titles => JSON.stringify(rows()) === JSON.stringify(titles)", list(titles), within=within)

    def row(self, title):
        """The selector of the row with that title."""
        self.wait_for("title => row(title)", title)
        return self.numbered("title => number(row(title))", title)

    def numbered(self, expression, *arguments):
        """The selector of an element that a script finds."""
        return f'belfry-bell >>> [data-number="{self.get(expression, *arguments)}"]'

    def click_in(self, title, selector):
        """Clicks something in a row; the pointer is over the row before."""
        row = self.row(title)
        self.page.move_to(row)
        self.page.click(f"{row} {selector}")

    def choose(self, title, words):
        """Chooses something from a row's menu."""
        self.click_in(title, "[data-do=more]")
        self.wait_for("words => named('menuitem', words)", words)
        self.page.click(self.numbered("words => number(named('menuitem', words))", words))

    def tab(self, words):
        self.page.click(self.numbered("words => number(named('tab', words))", words))

    def heard(self, name):
        """The details of the events of that name that reached the page."""
        return self.get("name => heard.filter(([own]) => own === name).map(([, detail]) => detail)", name)

    def agrees(self, within=10):
        """Waits until list and count are what the database has, whatever is still on its way to either."""
        deadline = time.monotonic() + within
        while not self.get("state => agrees(state)", state := self.database()):
            if time.monotonic() > deadline:
                ours = self.get("[bell.notifications.map(({ id, isRead }) => [id, isRead]), bell.unreadCount]")
                theirs = [state[0][: max(20, len(ours[0]))], state[1]]
                assert ours == theirs, f"{self.get('bell.state')}: {ours} beside {theirs}\n{self.page.report()}"
            time.sleep(0.05)

    def database(self):
        """The ids of the list, and whether each is read; and how many are unread."""
        return [[[row["id"], row["isRead"]] for row in self.person.listed()], self.person.unread]

    def shot(self, name):
        """Keeps a screenshot in .belfry/bell/."""
        self.page.screenshot(SHOTS / f"{name}.png")
