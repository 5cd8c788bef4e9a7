"""How mails look in Chromium: by day and by night, wide and as narrow as a phone can be.

    python mail_looks.py MAILS PICTURES

For each HTML file in the folder MAILS. Writes one objection a line as JSON, and a picture of each look to the folder PICTURES.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Chromium"))
from chromium import Browser

# As mail programs show them: a pane, a small phone.
LOOKS = [("light", (800, 900), False), ("dark", (800, 900), True), ("narrow", (320, 640), False), ("night", (320, 640), True)]
MEASURES = """(() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  const box = (element) => element.getBoundingClientRect();
  const foreign = performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => !name.startsWith("https://"));
  return {
    width: document.documentElement.scrollWidth,
    background: style("body").backgroundColor,
    surface: document.querySelector(".mail-content") && style(".mail-content").backgroundColor,
    text: style("h1").color,
    direction: style("h1").direction,
    buttons: [...document.querySelectorAll(".mail-button")].map((button) => [box(button).left, box(button).right, box(button).height]),
    preview: document.querySelector("body > div") ? box(document.querySelector("body > div")).height : 0,
    scripts: document.scripts.length,
    foreign,
  };
})()"""


def brightness(colour):
    """Of `rgb(r, g, b)`, 0 to 255."""
    return sum(float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]) / 3


def objections(seen, width, is_dark, name):
    if seen["width"] > width:
        yield f"is {seen['width']} px wide"
    for left, right, height in seen["buttons"]:
        if left < 0 or right > width:
            yield "has a button that is not all there"
        if height < 40:
            yield f"has a button of {height} px: a finger needs 40"
    if (seen["direction"] == "rtl") != (name == "arabic"):
        yield f"is read {seen['direction']}"
    if seen["scripts"] or seen["foreign"]:
        yield f"has {seen['scripts']} scripts, and loads {seen['foreign']}"
    if name == "own":
        return
    if seen["preview"] > 0:
        yield "shows what is for lists of mails"
    for part in ["surface"] if name == "coloured" else ["background", "surface"]:
        if (brightness(seen[part]) < 70) != is_dark:
            yield f"has a {part} of {seen[part]}"
    if (brightness(seen["text"]) > 160) != is_dark:
        yield f"has a text of {seen['text']}"


def main(mails, pictures):
    with Browser() as browser, browser.context() as context:
        for file in sorted(Path(mails).glob("*.html")):
            for look, size, is_dark in LOOKS:
                page = context.page("about:blank")
                page.emulate(viewport=size, dark=is_dark)
                # Pictures are not shown until the reader allows it: nobody is asked for them.
                page.call("Network.setBlockedURLs", urls=["http://*", "https://*"])
                page.open(file.as_uri())
                found = list(objections(page.evaluate(MEASURES), size[0], is_dark, file.stem))
                found += page.axe(runOnly=["wcag2a", "wcag2aa"])
                for objection in found:
                    print(json.dumps(f"{file.stem}, {look}: {objection}"))
                page.screenshot(Path(pictures) / f"{file.stem}-{look}.png")
                page.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
