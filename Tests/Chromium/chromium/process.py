"""Chromium as a process of its own group that outlives nobody."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

ARGUMENTS = [
    "--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--disable-breakpad",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync",
    "--no-default-browser-check", "--no-first-run", "--no-proxy-server", "--mute-audio", "--hide-scrollbars",
    # A page that another one covers is measured like any other.
    "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
    # A mouse that can hover, which a machine without a screen does not have.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    # Whoever tries to load something from elsewhere learns it here.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    # The sandbox cannot be had by root, nor in most containers, and the pages are our own.
    "--no-sandbox",
]  # fmt: skip


class Process:
    """Runs Chromium with a new profile. `commands` and `messages` are the descriptors of its pipe."""

    def __init__(self, arguments=()):
        program = shutil.which("chromium")
        if program is None:
            raise SystemExit("Chromium is not installed: apt-get install chromium")
        self._profile = tempfile.TemporaryDirectory(prefix="belfry-chromium-", ignore_cleanup_errors=True)
        self._log = pathlib.Path(self._profile.name) / "chromium.log"
        theirs, self.commands = os.pipe()
        self.messages, ours = os.pipe()
        command = [program, *ARGUMENTS, f"--user-data-dir={self._profile.name}", *arguments, "about:blank"]
        with self._log.open("wb") as log:
            self._child = self._start(command, theirs, ours, log)
        os.close(theirs)
        os.close(ours)

    @staticmethod
    def _start(command, theirs, ours, log):
        return subprocess.Popen(
            # Chromium reads descriptor 3 and writes 4. Should this process be killed, Chromium's first process goes with
            # it, and takes the others along.
            ["bash", "-c", f'exec setpriv --pdeathsig KILL -- "$@" 3<&{theirs} 4>&{ours}', "bash", *command],
            pass_fds=(theirs, ours),
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )

    def log(self):
        """The end of what Chromium wrote to standard error."""
        return self._log.read_text(errors="replace")[-2000:]

    def stop(self):
        """Ends all of its processes, and returns when none is left that could still write to the profile."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        deadline = time.monotonic() + 5
        with contextlib.suppress(ProcessLookupError):
            while time.monotonic() < deadline:
                os.killpg(self._child.pid, 0)
                time.sleep(0.02)
        os.close(self.commands)
        self._profile.cleanup()
