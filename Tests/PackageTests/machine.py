"""A Debian as debootstrap leaves it, on which packages are installed; whatever changes is in memory, and gone with this process."""

import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGES = REPOSITORY / ".belfry/package"
TREES = REPOSITORY / ".belfry/containers"

# Into $1, with the tree $2 below it.
MOUNT = """
mount -t tmpfs tmpfs "$1"
mkdir "$1"/changes "$1"/work "$1"/root
mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/changes,workdir=$1/work" "$1/root"
cd "$1/root"
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch dev/$device
  mount --bind /dev/$device dev/$device
done
mkdir -m 1777 dev/shm
ln -s /proc/self/fd dev/fd
mkdir packages
mount --bind "$3" packages
# Manuals and copyright files are to be there, and apt is to stay among what it has.
rm etc/dpkg/dpkg.cfg.d/slim etc/apt/apt.conf.d/slim
"""


class Machine:
    def __init__(self, release: str, folder: Path) -> None:
        self.release = release
        self.root = folder / "root"
        folder.mkdir()
        subprocess.run(["sh", "-euc", MOUNT, "mount", folder, TREES / release, PACKAGES], check=True)

    def start(self, command: str, user: str | None = None, **options) -> subprocess.Popen:
        """Starts it as root, or as that user in their home; all that it starts ends with it."""
        words = ["unshare", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc", "chroot", self.root]
        words += ["runuser", "--login", user, "--command", command] if user else ["sh", "-euc", command]
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        return subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, text=True, **options)

    def run(self, command: str, status: int = 0, within: float = 120) -> str:
        """Runs it in a shell as root, and returns what it printed."""
        process = self.start(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output, _ = process.communicate(timeout=within)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        assert process.returncode == status, f"{command} ended with status {process.returncode}:\n{output}"
        return output

    def install(self, *packages: str | Path, status: int = 0) -> str:
        names = shlex.join(map(str, packages))
        return self.run(f"apt-get install --yes --quiet --no-install-recommends {names}", status)

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        file = self.root / path.removeprefix("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def read(self, path: str) -> str:
        return (self.root / path.removeprefix("/")).read_text()

    @contextmanager
    def asked_of_systemd(self) -> Iterator[list[str]]:
        """What packages ask of a systemd that they find running: the arguments of each `systemctl`, filled in at the end."""
        calls: list[str] = []
        self.run("mkdir -p /run/systemd/system && mv /usr/bin/systemctl /usr/bin/systemctl.real")
        self.write("/usr/bin/systemctl", '#!/bin/sh\nprintf "%s\\n" "$*" >>/systemctl.calls\n', 0o755)
        yield calls
        calls += self.run("cat /systemctl.calls").splitlines()
        self.run("rm /systemctl.calls && rmdir /run/systemd/system && mv /usr/bin/systemctl.real /usr/bin/systemctl")
