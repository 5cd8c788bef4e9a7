"""The fenced samples of the documents."""

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
FENCES = re.compile(r"(?ms)^( *)```([\w{}-]*)\n(.*?)^\1```")


@dataclass
class Sample:
    path: str
    line: int
    language: str
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}"


def samples():
    """All of all documents, those of the reference among them, in order."""
    documents = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md"), *(REPOSITORY / ".belfry/site/api").glob("*.md")]
    for path in sorted(documents):
        text = path.read_text()
        for match in FENCES.finditer(text):
            line = text.count("\n", 0, match.start()) + 2
            yield Sample(str(path.relative_to(REPOSITORY)), line, match[2], textwrap.dedent(match[3]))
