"""Every sample is one of the language that it says."""

import ast
import json
import re
import subprocess
from html.parser import HTMLParser

import pytest
import yaml

from samples import samples

# Drawings, answers, and what has no name for highlighters.
UNCHECKED = {""}
CHECKED = {"json", "yaml", "sh", "http", "python", "js", "html", "swift", "ts", "jsx", "css", "sql"}


def of(*languages):
    found = [sample for sample in samples() if sample.language in languages]
    return pytest.mark.parametrize("sample", found, ids=str)


def test_every_language_has_a_check():
    assert {sample.language for sample in samples()} <= CHECKED | UNCHECKED


@of("json")
def test_json_is_read(sample):
    json.loads(sample.text)


@of("yaml")
def test_yaml_is_read(sample):
    class Loader(yaml.SafeLoader):
        """Compose's tags are known."""

    for tag in ["!override", "!reset"]:
        Loader.add_constructor(tag, lambda loader, node: loader.construct_sequence(node))
    assert yaml.load(sample.text, Loader) is not None


@of("sh")
def test_bash_understands_it(sample):
    # What stands for something of the reader's is written <so>.
    text = re.sub(r"<(\w[\w ]*)>", r"\1", sample.text)
    done = subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


@of("python")
def test_python_is_parsed(sample):
    ast.parse(sample.text)


@of("http")
def test_http_is_a_request_or_an_answer(sample):
    head, _, body = sample.text.partition("\n\n")
    first, *headers = head.splitlines()
    assert re.match(r"([A-Z]+ /\S*( HTTP/1\.1)?|HTTP/1\.1 \d{3} .*)$", first)
    assert all(re.match(r"[\w-]+: .", line) for line in headers)


@of("swift")
def test_swift_is_parsed(sample, tmp_path):
    file = tmp_path / "main.swift"
    file.write_text(sample.text)
    done = subprocess.run(["swiftc", "-frontend", "-parse", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@of("html")
def test_html_closes_what_it_opens(sample):
    Balance().check(sample.text)


class Balance(HTMLParser):
    VOID = {"meta", "link", "br", "img", "input", "hr", "!doctype"}

    def check(self, text):
        self.open = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}>"


def test_scripts_are_parsed(context, server):
    """By the browser, as what a page would run; imports are left out, for a function has none."""
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
