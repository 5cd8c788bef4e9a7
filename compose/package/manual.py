"""Writes the manual pages of a program from what it says of itself: a page of the program, of each command, and of each service that it is
by another name.

    manual.py PROGRAM FOLDER VERSION DATE [SERVICE…]
"""

import json
import re
import subprocess
import sys
from pathlib import Path


ESCAPES = str.maketrans({
    "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
    # Where a long address may be broken.
    "/": "/\\:",
})  # fmt: skip


def escaped(text: str) -> str:
    return re.sub(r"(?m)^\.", r"\\&.", text.translate(ESCAPES))


def bold(text: str) -> str:
    return f"\\fB{escaped(text)}\\fR"


def italic(text: str) -> str:
    return f"\\fI{escaped(text)}\\fR"


def prose(text: str) -> str:
    """With what stands between backticks in bold."""
    parts = re.split(r"`([^`\n]+)`", text)
    return "".join(bold(part) if index % 2 else escaped(part) for index, part in enumerate(parts))


def paragraphs(text: str) -> list[str]:
    """Lines that are indented are examples, and stay as they are."""
    lines = []
    for block in filter(None, re.split(r"\n\s*\n", text.strip("\n"))):
        example = block.startswith("  ")
        lines += [".PP"] + ([".RS 4", ".nf"] if example else [])
        lines += [escaped(line[2:]) if example else prose(line) for line in block.split("\n")]
        lines += [".fi", ".RE"] if example else []
    return lines


class Page:
    def __init__(self, name: str, section: int, abstract: str, version: str, date: str) -> None:
        self.name, self.section = name, section
        self.lines = [f'.TH {escaped(name).upper()} {section} {date} "Belfry {version}" "Belfry"', ".nh"]
        self.lines += [".SH NAME", f"{escaped(name)} \\- {prose(abstract.removesuffix('.'))}"]

    def write(self, folder: Path) -> None:
        path = folder / f"man{self.section}" / f"{self.name}.{self.section}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(self.lines) + "\n")


def shown(each: list[dict]) -> list[dict]:
    return [one for one in each if one["shouldDisplay"] and one.get("commandName") != "help" and one.get("valueName") != "help"]


def spelling(argument: dict) -> str:
    value = italic(argument["valueName"])
    if argument["kind"] == "positional":
        return value
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument["names"]]
    return ", ".join(map(bold, names)) + (f" {value}" if argument["kind"] == "option" else "")


def synopsis(call: str, command: dict) -> list[str]:
    parts = [bold(call)]
    for argument in shown(command["arguments"]):
        part = spelling(argument)
        part = f"[{part}]" if argument["isOptional"] else part
        parts.append(part + (" …" if argument["isRepeating"] else ""))
    return [" ".join([*parts, italic("command"), "…"] if shown(command.get("subcommands", [])) else parts)]


def description(call: str, command: dict) -> list[str]:
    """After its synopsis: what a command does, and its arguments."""
    lines = paragraphs(command.get("discussion", ""))
    for argument in shown(command["arguments"]):
        said = argument.get("abstract", "")
        if values := argument.get("allValues"):
            said += f" (values: {', '.join(values)})"
        if "defaultValue" in argument:
            said += f" (default: {argument['defaultValue']})"
        lines += [".TP", spelling(argument), prose(said.strip())]
    return lines


def pages(program: Path, version: str, date: str) -> list[Page]:
    said = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout
    root = json.loads(said)["command"]
    first = Page(root["commandName"], 1, root["abstract"], version, date)
    first.lines += [".SH SYNOPSIS", *synopsis(first.name, root), ".SH DESCRIPTION", *paragraphs(root["discussion"]), ".SH COMMANDS"]
    found = [first]
    for command in shown(root["subcommands"]):
        call = f"{first.name} {command['commandName']}"
        page = Page(call.replace(" ", "-"), 1, command["abstract"], version, date)
        first.lines += [".TP", f".BR {escaped(page.name)} (1)", prose(command["abstract"])]
        page.lines += [".SH SYNOPSIS", *synopsis(call, command), ".SH DESCRIPTION", prose(command["abstract"]), *description(call, command)]
        for subcommand in shown(command.get("subcommands", [])):
            name = f"{call} {subcommand['commandName']}"
            page.lines += [f".SS {escaped(name)}", prose(subcommand["abstract"]), ".PP", *synopsis(name, subcommand)]
            page.lines += description(name, subcommand)
        page.lines += [".SH SEE ALSO", f".BR {escaped(first.name)} (1)"]
        found.append(page)
    return found


def service(program: Path, name: str, version: str, date: str) -> Page:
    """A service tells its settings, in lines that are indented twice."""
    said = subprocess.run([name, "--help"], executable=program, check=True, capture_output=True, text=True).stdout
    abstract, opening, *settings = re.split(r"\n\n|\n(?=  BELFRY_)", said.strip("\n"))
    page = Page(name, 8, abstract.removeprefix(f"{name}: "), version, date)
    page.lines += [".SH SYNOPSIS", bold(name), ".SH DESCRIPTION", prose(opening)]
    for setting in settings:
        heading, *text = [line.strip() for line in setting.split("\n")]
        variable, _, shape = heading.partition("  ")
        page.lines += [".TP", f"{bold(variable)} {escaped(shape)}", *map(prose, text)]
    return page


def main() -> None:
    program, folder, version, date, *services = sys.argv[1:]
    path = Path(program).resolve()
    for page in pages(path, version, date) + [service(path, name, version, date) for name in services]:
        page.write(Path(folder))


main()
