"""Whose the key is that the push dispatcher is given."""

import os
from typing import NamedTuple


class Owner(NamedTuple):
    user: int
    group: int


# Not the one that services run as unless told otherwise. Who is not root owns only what is theirs.
KEY_OWNER = Owner(12345, 23456) if os.geteuid() == 0 else Owner(os.getuid(), os.getgid())
