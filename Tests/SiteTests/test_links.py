"""What pages lead to and load is there, and it is here."""

import re
from urllib.parse import unquote, urlsplit


def test_every_link_leads_to_a_page_and_a_place_in_it(pages, site):
    broken = []
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            if not target.is_file():
                broken.append(f"{name}: {link}")
            elif parts.fragment and target.suffix == ".html":
                anchors = pages[target.relative_to(site).as_posix()].anchors
                if unquote(parts.fragment) not in anchors:
                    broken.append(f"{name}: {link}")
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(pages, site):
    for name, page in pages.items():
        for load in page.loads:
            parts = urlsplit(load)
            assert not parts.scheme and not parts.netloc, f"{name} loads {load}"
            assert (page.path.parent / parts.path).resolve().is_file(), f"{name} loads {load}, which is not there"
    for sheet in site.rglob("*.css"):
        for load in re.findall(r"""(?:@import\s*|url\()\s*["']?([^"')\s]{5})""", sheet.read_text()):
            assert load == "data:", f"{sheet.name} loads {load}…"


def test_no_page_has_a_script_or_a_style_of_its_own(pages):
    assert {name: page.inline for name, page in pages.items() if page.inline} == {}


def test_every_page_can_be_reached_from_the_first(pages, site):
    """By the navigation or a link; `search.html` by its form."""
    reached, ahead = set(), ["index.html"]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            for link in pages[name].links:
                target = (pages[name].path.parent / unquote(urlsplit(link).path)).resolve()
                if not urlsplit(link).scheme and target.suffix == ".html":
                    ahead.append(target.relative_to(site).as_posix())
    assert set(pages) - reached == {"search.html"}


def test_llms_txt_has_the_form_of_llmstxt_org_and_leads_to_text(site):
    text = (site / "llms.txt").read_text()
    assert re.match(r"# Belfry\n\n> .+\n\n## ", text)
    entries = re.findall(r"(?m)^- \[(.+)\]\((\S+)\): (.+)$", text)
    assert len(entries) == len(re.findall(r"(?m)^- ", text)) > 40
    for title, path, _ in entries:
        assert (site / path).read_text().startswith(f"# {title}\n")
