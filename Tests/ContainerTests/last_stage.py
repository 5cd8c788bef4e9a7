"""Takes the last stage of a Dockerfile apart, for an engine whose containers reach no network.

    last_stage.py run DOCKERFILE           its RUN commands before the first COPY, a shell script
    last_stage.py rest DOCKERFILE IMAGE    what remains, on top of IMAGE
"""

import sys


def instructions(path: str) -> list[str]:
    lines = [line for line in open(path).read().replace("\\\n", " ").split("\n") if line.strip() and not line.startswith("#")]
    start = max(index for index, line in enumerate(lines) if line.startswith("FROM "))
    return lines[start:]


def main() -> None:
    what, path = sys.argv[1:3]
    stage = instructions(path)
    copy = next(index for index, line in enumerate(stage) if line.startswith("COPY "))
    before, after = stage[1:copy], stage[copy:]
    assert not [line for line in after if line.startswith("RUN ")], "a RUN after a COPY needs an engine with a network"
    if what == "run":
        print("set -e")
        print("\n".join(line.removeprefix("RUN ") for line in before if line.startswith("RUN ")))
    else:
        kept = [line for line in before if not line.startswith("RUN ")]
        after = [line.replace("COPY --from=build /opt/belfry/", "COPY programs/") for line in after]
        print("\n".join([f"FROM {sys.argv[3]}", *kept, *after]))


main()
