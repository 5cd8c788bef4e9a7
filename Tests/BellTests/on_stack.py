"""Runs those tests of the bell that need no stub against real processes: on_stack.py FILE, with pytest's arguments after it.

The file is what StackWorld reads. Names of tests' files among the arguments are taken in place of `FILES`.
"""

import os
import pathlib
import signal
import sys

import pytest

# Those that are about what passes between page and Belfry; looks are the same wherever it comes from.
FILES = ["test_bell.py", "test_acts.py", "test_client.py", "test_connection.py", "test_faults.py", "test_settings.py", "test_together.py", "test_users.py"]

if __name__ == "__main__":
    os.environ["BELFRY_BELL_STACK"] = sys.argv[1]
    # Whoever ends this process ends the browser, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = pathlib.Path(__file__).parent
    arguments = sys.argv[2:]
    files = [name for name in arguments if name.endswith(".py")]
    sys.exit(pytest.main([*(str(folder / name) for name in files or FILES), *(each for each in arguments if each not in files)]))
