"""A package of Swift, and what SwiftPM says of it and does with it."""

import json
import os
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
SWIFT = os.environ.get("SWIFT", "swift")


class Package:
    def __init__(self, folder, build, cache=None, **environment):
        """:param build: folder of what is fetched and built; :param cache: SwiftPM's, or the user's."""
        self.folder, self.build, self.cache = folder, build, cache
        # From this machine alone: nothing that it needs is elsewhere.
        self.environment = os.environ | environment | {"GIT_ALLOW_PROTOCOL": "file"}

    def swift(self, command, *arguments, fails=False):
        """What SwiftPM says, on both of its outputs.

        :param fails: whether it shall end with another status than 0.
        """
        cache = ["--cache-path", self.cache] if self.cache else []
        options = ["--package-path", self.folder, "--scratch-path", self.build, *cache]
        answer = subprocess.run(
            [SWIFT, command, *options, *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert (answer.returncode != 0) == fails, answer.stdout[-6000:]
        return answer.stdout

    def manifest(self):
        return json.loads(subprocess.run(
            [SWIFT, "package", "--package-path", self.folder, "--scratch-path", self.build, "dump-package"],
            check=True, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        ).stdout)  # fmt: skip

    def run(self, program, *arguments, configuration="release", **environment):
        """What a program of the package writes.

        :param environment: Variables beside this process's.
        """
        answer = subprocess.run(
            [self.build / configuration / program, *arguments],
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
        assert answer.returncode == 0, f"{program}: {answer.returncode}\n{answer.stdout[-3000:]}\n{answer.stderr[-6000:]}"
        return answer.stdout

    def built(self):
        """The modules of which something was compiled."""
        return {path.stem for path in (self.build / "debug").glob("*.build") if any(path.rglob("*.o"))}
