"""How the page of a link to unsubscribe looks in Chromium: by day and by night, wide and as narrow as a phone can be.

    python unsubscribe_looks.py PAGES PICTURES

For each file NAME.json in the folder PAGES, which has `html` and `headers`: it is served with these, its content security policy among them.
Writes one objection a line as JSON, and a picture of each look to the folder PICTURES.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Chromium"), str(ROOT / "Tests/EmailDispatcherTests")]
from chromium import Browser  # noqa: E402
from mail_looks import brightness  # noqa: E402

# A window, a small phone.
LOOKS = [("light", (640, 480), False), ("dark", (640, 480), True), ("narrow", (320, 640), False), ("night", (320, 640), True)]

MEASURES = """(() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
  return {
    width: document.documentElement.scrollWidth,
    parts: boxes("h1, p, button").map((box) => [box.left, box.right]),
    buttons: boxes("button").map((box) => box.height),
    background: style("body").backgroundColor,
    surface: style("main").backgroundColor,
    text: style("h1").color,
    // A favicon is the browser's own wish.
    loaded: performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => !name.endsWith("/favicon.ico")),
    scripts: document.scripts.length,
  };
})()"""


def objections(seen, width, is_dark):
    if seen["width"] > width:
        yield f"is {seen['width']} px wide"
    if any(left < 0 or right > width for left, right in seen["parts"]):
        yield "has a part that is not all there"
    for height in seen["buttons"]:
        if height < 44:
            yield f"has a button of {height} px: a finger needs 44"
    for part in ["background", "surface"]:
        if (brightness(seen[part]) < 70) != is_dark:
            yield f"has a {part} of {seen[part]}"
    if (brightness(seen["text"]) > 160) != is_dark:
        yield f"has a text of {seen['text']}"
    if seen["scripts"] or seen["loaded"]:
        yield f"has {seen['scripts']} scripts, and loads {seen['loaded']}"


class Pages(BaseHTTPRequestHandler):
    documents = {}

    def do_GET(self):
        document = self.documents.get(self.path[1:])
        self.send_response(200 if document else 404)
        for name, value in (document or {}).get("headers", {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write((document or {}).get("html", "").encode())

    def log_message(self, *_):
        pass


def main(pages, pictures):
    Pages.documents = {file.stem: json.loads(file.read_text()) for file in sorted(Path(pages).glob("*.json"))}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Browser() as browser, browser.context() as context:
        page = context.page("about:blank")
        for name in Pages.documents:
            page.open(f"http://127.0.0.1:{server.server_port}/{name}")
            for look, size, is_dark in LOOKS:
                page.emulate(viewport=size, dark=is_dark)
                found = list(objections(page.evaluate(MEASURES), size[0], is_dark))
                page.screenshot(Path(pictures) / f"unsubscribe-{name}-{look}.png")
                # What axe finds depends on colours and on width: two looks have all of them.
                if look in ("light", "night"):
                    found += page.axe()
                for objection in found:
                    print(json.dumps(f"{name}, {look}: {objection}"))
        for violation in page.violations + page.errors:
            print(json.dumps(f"the page's policy: {violation}"))


if __name__ == "__main__":
    main(*sys.argv[1:])
