"""Ten thousand notifications: rows, frames and memory beside a plain list and an empty page, measured in the same run."""

import time

import pytest

from chromium.measuring import percentile

COUNT = 10_000
MEGABYTE = 1 << 20
PLAIN = """count => {
  const list = document.createElement('div');
  list.id = 'plain';
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`#plain { height: 560px; width: 400px; overflow: auto } #plain div { padding: 12px } #plain p { margin: 0 }`);
  document.adoptedStyleSheets = [sheet];
  for (let number = count; number > 0; number--) {
    const row = document.createElement('div');
    for (const text of [`Number ${number}`, `Text of number ${number}`, '3 hours ago · System']) {
      const line = document.createElement('p');
      line.textContent = text;
      row.append(line);
    }
    list.append(row);
  }
  document.querySelector('main').append(list);
}"""


LOAD = """async count => {
  const scroller = shown('list').parentElement;
  while (bell.notifications.length < count) {
    scroller.scrollTop = scroller.scrollHeight;
    await new Promise(requestAnimationFrame);
  }
  scroller.scrollTop = 0;
}"""


def scroll(page, selector, turns=120, step=400):
    """Turns the wheel over a list, about sixty times a second. Returns the main thread's milliseconds in each frame."""
    page.move_to(selector)
    page.wheel(step)
    with page.frames() as frames:
        for turn in range(turns):
            page.wheel(step if turn < turns * 3 // 4 else -step)
            time.sleep(1 / 60)  # As fast as a hand is.
    return frames


@pytest.fixture
def plain(context, world):
    page = context.page(world.site.put("/empty.html", "<!doctype html><title>Empty</title><main></main>", "default-src 'none'"))
    return page


def test_ten_thousand(open_bell, stub, person, plain):
    empty = plain.heap()
    person.fill(COUNT)
    # What is in doubt is asked again as seldom as for people.
    bell = open_bell('layout="inline"', times={})
    bell.wait_for("rows()[0] === 'Number 10000'")
    start = time.monotonic()
    bell.get(f"({LOAD})({COUNT}), null")
    bell.wait_for("count => bell.notifications.length === count", COUNT, within=120)
    loaded = time.monotonic() - start
    assert bell.get("bell.notifications.length") == COUNT
    most = """(() => {
      globalThis.most = 0;
      const look = () => { most = Math.max(most, root.querySelectorAll('[role=article]').length); };
      new MutationObserver(look).observe(root, { childList: true, subtree: true });
      look();
    })()"""
    bell.get(most)
    ours = scroll(bell.page, bell.part("list"))
    rows = bell.get("most")
    # Once to the very end, and up again.
    bell.page.press("Tab")
    bell.get("parts('item')[0].focus()")
    bell.page.press("End")
    bell.wait_for("rows().at(-1) === 'Number 1'")
    rows = max(rows, bell.get("most"))
    heap = bell.page.heap() - empty
    plain.evaluate(PLAIN, COUNT)
    theirs = scroll(plain, "#plain")
    print(
        f"\n  loaded in {loaded:.1f} s; at most {rows} rows; heap {heap / MEGABYTE:.1f} MB above an empty page's"
        f"\n  p95 of {len(ours)} frames {percentile(ours, 0.95):.1f} ms, of a plain list's {len(theirs)} {percentile(theirs, 0.95):.1f} ms"
        f"; median {percentile(ours, 0.5):.1f} and {percentile(theirs, 0.5):.1f} ms"
    )
    assert rows <= 80
    assert heap <= 50 * MEGABYTE
    assert len(ours) >= 30 and len(theirs) >= 30, "too few frames to judge"
    # A row of the plain list is three lines of text that nobody measures, a fifth of the elements of one of ours.
    assert percentile(ours, 0.95) <= 3 * percentile(theirs, 0.95)


def test_many_that_come_at_once_are_drawn_together(open_bell, stub, person):
    """A thousand messages in a row do not draw the list a thousand times."""
    person.fill(50)
    bell = open_bell('layout="inline"')
    bell.wait_for("rows()[0] === 'Number 50'")
    bell.get("""globalThis.changes = 0, new MutationObserver(() => changes++).observe(root.querySelector('[part~=list]'), { childList: true }), null""")
    person.do(lambda inbox: [inbox.add(f"New {number}") for number in range(1000)])
    bell.agrees(within=30)
    assert bell.get("changes") < 100
    assert bell.get("root.querySelectorAll('[role=article]').length") <= 80
