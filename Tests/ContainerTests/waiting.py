"""Waiting for a condition, with a deadline."""

import time


def until(what, condition, within, every=0.2):
    """Asks until the condition gives something true, and returns that; fails after `within` seconds."""
    deadline = time.monotonic() + within
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {within} s: {what}; last: {value!r}")
        time.sleep(every)
    return value
