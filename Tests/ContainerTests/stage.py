"""Takes a stage of a Dockerfile apart, with those that it is built on, for an engine whose containers reach no network.

    stage.py run DOCKERFILE                    the last one's RUN commands before its first COPY, a shell script
    stage.py rest DOCKERFILE IMAGE [STAGE]     what remains of the last one, or of that one, on top of IMAGE

What the stages copy from those that build is then expected in a folder `programs`.
"""

import re
import sys


def stages(path: str) -> list[list[str]]:
    """The instructions of each, its FROM first."""
    found: list[list[str]] = []
    for line in open(path).read().replace("\\\n", " ").split("\n"):
        if line.startswith("FROM "):
            found.append([])
        if line.strip() and not line.startswith("#"):
            found[-1].append(line)
    return found


def instructions(path: str, name: str | None) -> list[str]:
    """Of a stage, after those of the one that it is built on."""
    all_stages = stages(path)
    names = {match[1]: stage for stage in all_stages if (match := re.search(r" AS (\w+)$", stage[0]))}
    stage, lines = names[name] if name else all_stages[-1], []
    while stage:
        lines = stage[1:] + lines
        stage = names.get(stage[0].split()[1])
    return lines


def main() -> None:
    what, path, *rest = sys.argv[1:]
    stage = instructions(path, rest[1] if len(rest) > 1 else None)
    copy = next(index for index, line in enumerate(stage) if line.startswith("COPY "))
    before, after = stage[:copy], stage[copy:]
    assert not [line for line in after if line.startswith("RUN ")], "a RUN after a COPY needs an engine with a network"
    if what == "run":
        print("set -e")
        print("\n".join(line.removeprefix("RUN ") for line in before if line.startswith("RUN ")))
    else:
        kept = [line for line in before if not line.startswith("RUN ")]
        after = [re.sub(r"^COPY --from=\w+ /opt/belfry/", "COPY programs/", line) for line in after]
        print("\n".join([f"FROM {rest[0]}", *kept, *after]))


main()
