"""Lays out what Sphinx makes the site from, in the folder that is named.

The pages are Markdown that reads as well without the site, so what only the site needs is added here: the table of contents, the
reference of the API, and a page for each file of the repository that a page links to.
"""

import os
import posixpath
import re
import sys
from pathlib import Path

import yaml

import reference

ROOT = Path(__file__).resolve().parents[2]
# Files that are pages under another name.
NAMES = {"docs/decisions/README.md": "decisions/index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
LANGUAGES = {".yaml": "yaml", ".ts": "ts", ".tsx": "ts", ".swift": "swift", ".json": "json", ".py": "python", ".conf": "ini", ".env": "sh"}
# A link of Markdown, and the two forms in which brackets mean something else.
LINKS = re.compile(r"(?P<code>^ *```.*?^ *```|`[^`\n]+`)|\]\((?P<path>[^)\s#:]*)(?P<anchor>#[^)\s]*)?\)", re.DOTALL | re.MULTILINE)


class Stage:
    def __init__(self, folder):
        self.folder = folder
        self.files = set()
        self.pages = {path: path.removeprefix("docs/") for path in documents()} | NAMES

    def lay_out(self, contents):
        for path, page in self.pages.items():
            # The highlighter knows no element with a hyphen in its name as JSX.
            self.write(page, self.led((ROOT / path).read_text(), path).replace("```jsx\n", "```js\n"))
        for path in sorted(self.files):
            self.write(f"files/{path}.md", shown(path))
        api = reference.write(ROOT / "Services/Gateway/Description/openapi.yaml", self.folder / "api")
        self.add("api.md", toctree([f"api/{page}" for page in api]))
        self.add("decisions/index.md", toctree(sorted(p.stem for p in (self.folder / "decisions").glob("0*.md"))))
        for section in contents:
            self.add("index.md", toctree([entry["page"] for entry in section["pages"]], section["section"]))
        self.write("llms.txt", self.index_for_agents(contents))

    def led(self, text, path):
        """The text with its links leading to pages."""

        def replacement(match):
            if match["code"] or not match["path"]:
                return match[0]
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match["path"]))
            if target == "README.md":
                target = "docs/index.md"
            if target not in self.pages:
                if not (ROOT / target).is_file():
                    sys.exit(f"{path} links to {match['path']}, which is no file")
                self.files.add(target)
            page = self.pages.get(target, f"files/{target}.md")
            return f"]({posixpath.relpath(page, posixpath.dirname(self.pages[path]) or '.')}{match['anchor'] or ''})"

        return LINKS.sub(replacement, text)

    def index_for_agents(self, contents):
        """The form is that of https://llmstxt.org; each page is beside it as Markdown."""
        summary = self.text("index").split("\n\n")[1].replace("\n", " ")
        lines = ["# Belfry", "", f"> {summary}"]
        for section in contents:
            lines += ["", f"## {section['section']}", ""]
            for entry in section["pages"]:
                title = self.text(entry["page"]).split("\n", 1)[0].removeprefix("# ")
                lines.append(f"- [{title}]({entry['page']}.md): {entry['about']}")
        return "\n".join(lines) + "\n"

    def text(self, page):
        return (self.folder / f"{page}.md").read_text()

    def write(self, page, text):
        (self.folder / page).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / page).write_text(text)

    def add(self, page, text):
        with (self.folder / page).open("a") as file:
            file.write(text)


def documents():
    found = (path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    return sorted(path for path in found if not path.startswith("docs/site/"))


def toctree(pages, caption=None):
    options = [":hidden:"] + ([f":caption: {caption}"] if caption else [])
    return "\n" + "\n".join(["```{toctree}", *options, "", *pages, "```"]) + "\n"


def shown(path):
    """A file of the repository as a page that search passes over."""
    text = (ROOT / path).read_text()
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    language = LANGUAGES.get(os.path.splitext(path)[1], "none")
    return f"---\norphan: true\nnosearch: true\n---\n# {path}\n\n{fence}{{code-block}} {language}\n:force:\n\n{text}\n{fence}\n"


def listed(contents):
    return {f"{entry['page']}.md" for section in contents for entry in section["pages"]}


def main():
    contents = yaml.safe_load((ROOT / "docs/site/contents.yaml").read_text())
    stage = Stage(Path(sys.argv[1]))
    there = {page for page in stage.pages.values() if not re.match(r"decisions/0|index\.md", page)}
    if there != listed(contents):
        sys.exit(f"docs/site/contents.yaml and docs/ differ: {sorted(there ^ listed(contents))}")
    stage.lay_out(contents)


main()
