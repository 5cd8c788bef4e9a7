"""Runs those tests of the bell that need no stub against real processes: on_stack.py FILE, with pytest's arguments after it.

The file is what StackWorld reads.
"""

import os
import pathlib
import signal
import sys

import pytest

if __name__ == "__main__":
    os.environ["BELFRY_BELL_STACK"] = sys.argv[1]
    # Whoever ends this process ends the browser, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(pytest.main([str(pathlib.Path(__file__).parent), *sys.argv[2:]]))
