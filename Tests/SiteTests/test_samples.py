"""Every sample is one of the language that it says."""

import ast
import json
import re
import subprocess
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
import yaml

from samples import samples


class Loader(yaml.SafeLoader):
    """Knows Compose's tag."""


Loader.add_constructor("!override", lambda loader, node: loader.construct_sequence(node))


class Balance(HTMLParser):
    """Refuses HTML that does not close what it opens."""

    VOID = {"meta", "link", "br", "img", "input", "hr"}

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}>"


def html(text, folder):
    balance = Balance()
    balance.feed(text)
    balance.close()
    assert balance.open == []


def xml(text, folder):
    # Of a property list often some keys alone.
    ElementTree.fromstring(f"<part>{text}</part>")


def sh(text, folder):
    # What stands for something of the reader's is written <so>.
    run(["bash", "-n"], re.sub(r"<(\w[\w ]*)>", r"\1", text))


def jsx(text, folder):
    run(["esbuild", "--loader=jsx", "--log-level=warning"], text)


def css(text, folder):
    run(["esbuild", "--loader=css", "--log-level=warning"], text)


def swift(text, folder):
    file = folder / "main.swift"
    file.write_text(text)
    run(["swiftc", "-frontend", "-parse", file])


def run(command, text=None):
    done = subprocess.run(command, input=text, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


CHECKS = {
    "json": lambda text, folder: json.loads(text),
    "yaml": lambda text, folder: yaml.load(text, Loader),
    "python": lambda text, folder: ast.parse(text),
    "html": html,
    "xml": xml,
    "sh": sh,
    "swift": swift,
    "jsx": jsx,
    "css": css,
    # By the browser, below.
    "js": lambda text, folder: None,
    # Drawings, answers, and what no tool here knows.
    "": lambda text, folder: None,
}


@pytest.mark.parametrize("sample", list(samples()), ids=str)
def test_a_sample_is_of_its_language(sample, tmp_path):
    assert sample.language in CHECKS, f"{sample.language} has no check"
    CHECKS[sample.language](sample.text, tmp_path)


def test_scripts_are_parsed(context, server):
    """As what a page would run; imports are left out, for a function has none."""
    page = context.page(f"{server}/index.html")
    # The policy of the site lets nobody make functions of texts.
    page.call("Page.setBypassCSP", enabled=True)
    page.reload()
    for sample in samples():
        for script in scripts(sample):
            script = re.sub(r"(?m)^import .*$", "", script).replace("export ", "")
            page.evaluate("text => { Object.getPrototypeOf(async () => {}).constructor(text) }", script)


def scripts(sample):
    if sample.language == "js":
        yield sample.text
    elif sample.language == "html":
        yield from re.findall(r"(?s)<script[^>]*>(.*?)</script>", sample.text)
