"""What a page that was built has: names that links can lead to, links, and what it loads."""

from html.parser import HTMLParser


class BuiltPage(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path = path
        self.anchors = set()
        self.links = []
        self.loads = []
        # What a strict content security policy would stop.
        self.inline = []
        self.feed(path.read_text())
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        elif tag == "link" and attributes.get("rel") in ("stylesheet", "icon", "shortcut icon", "preload", "prefetch"):
            self.loads.append(attributes["href"])
        elif attributes.get("src"):
            self.loads.append(attributes["src"])
        elif tag in ("script", "style"):
            self.inline.append(tag)
        self.inline += [name for name in attributes if name == "style" or name.startswith("on")]
