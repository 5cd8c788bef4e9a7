"""Belfry in containers: compose.yaml of a fresh copy of the repository, under a project of its own."""

import contextlib
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

import httpx

from container import Container
from waiting import until

REPOSITORY = Path(__file__).resolve().parents[2]
ALL_PROFILES = {"COMPOSE_PROFILES": "push,email,dev"}
# What of this process' environment the commands see: a developer's BELFRY_… are not among it, but for what the machine allows.
INHERITED = ["HOME", "LANG", "PATH", "TMPDIR", "BELFRY_OPEN_FILES", "BELFRY_IMAGE", "BELFRY_DEV_IMAGE"] + [name for name in os.environ if name.startswith("DOCKER_")]


class CommandFailed(Exception):
    pass


class Stack:
    def __init__(self, scratch):
        self.scratch = Path(scratch)
        self.repository = self.scratch / "belfry"
        self.folder = self.repository / "compose"
        self.project = f"belfry-test-{os.getpid()}"
        self.image = os.environ.get("BELFRY_IMAGE", "belfry")
        self.dev_image = os.environ.get("BELFRY_DEV_IMAGE", "belfry-dev")
        self.server_image = "postgres:15-bookworm"
        ports = dict(zip(["API", "HUB", "SIMULATOR"], free_ports(3), strict=True))
        self.api, self.hub, self.simulator = (f"http://127.0.0.1:{port}" for port in ports.values())
        self.environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
        self.environment |= {f"BELFRY_{name}_PORT": str(port) for name, port in ports.items()}
        self.environment |= {"COMPOSE_PROJECT_NAME": self.project}
        self.environment["PATH"] = f"{self._make_docker()}:{self.environment['PATH']}"
        self.http = httpx.Client(timeout=15)
        self._tokens = {}
        self._copy()

    def _copy(self):
        """What git would hand to a fresh clone, changes that are not committed included."""
        command = ["git", "-C", REPOSITORY, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        for path in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0"):
            if path and (REPOSITORY / path).is_file():
                (self.repository / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(REPOSITORY / path, self.repository / path)

    def _make_docker(self):
        """A folder with a `docker` whose `compose` is the one to be tested."""
        compose = shlex.join(shlex.split(os.environ.get("BELFRY_COMPOSE", "docker compose")))
        docker = shutil.which("docker")
        program = self.scratch / "bin" / "docker"
        program.parent.mkdir(parents=True)
        compose = compose.replace("docker ", f"{shlex.quote(docker)} ", 1) if compose.startswith("docker ") else compose
        program.write_text(
            f'#!/bin/sh\nif [ "$1" = compose ]; then shift; exec {compose} "$@"; fi\nexec {shlex.quote(docker)} "$@"\n'
        )
        program.chmod(0o755)
        return program.parent

    def configure(self, **settings):
        """Writes lines into .env, where the last one of a name counts."""
        with open(self.folder / ".env", "a", encoding="utf-8") as file:
            file.writelines(f"{name}={value}\n" for name, value in settings.items())

    def start(self):
        """From nothing, with the simulator and the demo family; from then on all commands know of them."""
        self.compose("--profile", "dev", "up", "--detach", "--wait", timeout=180)
        self.configure(COMPOSE_PROFILES="dev")

    # Commands

    def run(self, *command, timeout=120, environment={}, check=True):
        """Runs it in the folder compose/ and returns its output; fails with the output and what the services said."""
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=self.folder,
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            output, errors = process.communicate(timeout=timeout)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            errors += f"\n(ended after {timeout} s)"
        if check and process.returncode != 0:
            raise CommandFailed(
                f"{shlex.join(map(str, command))}\nexit status {process.returncode}\n{output}{errors}\n{self.describe()}"
            )
        return output

    def compose(self, *arguments, **options):
        return self.run("docker", "compose", *arguments, **options)

    def docker(self, *arguments, **options):
        return self.run("docker", *arguments, **options)

    def describe(self):
        """Each container's state, and the last lines that they logged."""
        logs = self.compose(
            "--ansi", "never", "logs", "--no-color", "--tail", "12", check=False, timeout=30, environment=ALL_PROFILES
        )
        return "\n".join([*map(repr, self.containers()), logs])

    # Containers

    def containers(self, *services):
        """All of these services, or of all, by service and number; exited ones too."""
        labels = [f"com.docker.compose.project={self.project}", "com.docker.compose.oneoff=False"]
        filters = [word for label in labels for word in ["--filter", f"label={label}"]]
        ids = self.docker("ps", "--all", "--quiet", "--no-trunc", *filters).split()
        # One that is removed meanwhile is left out of the answer, with an exit status of 1.
        found = [Container(each) for each in json.loads(self.docker("inspect", *ids, check=False) or "[]")] if ids else []
        found = [each for each in found if not services or each.service in services]
        return sorted(found, key=lambda each: (each.service, each.number))

    def container(self, service):
        """One of its running copies."""
        return next(each for each in self.containers(service) if each.is_running)

    def exec(self, service, *command, index=None, **options):
        """Runs a command in one of its running copies, and returns the output."""
        running = [each for each in self.containers(service) if each.is_running and index in (None, each.number)]
        return self.docker("exec", running[0].id, *command, **options)

    def until_healthy(self, *services, within=60):
        def all_healthy():
            found = self.containers(*services)
            return {each.service for each in found} >= set(services) and all(each.is_healthy for each in found)

        until(f"{', '.join(services)} healthy", all_healthy, within)

    def main_process(self, container):
        """The id, among the engine's processes, of what runs under the init of the container, or of its first process."""
        lines = self.docker("top", container.id, "-eo", "pid,ppid,comm").splitlines()[1:]
        processes = [(int(pid), int(parent), name) for pid, parent, name in (line.split(None, 2) for line in lines)]
        first = container.state["Pid"]
        is_init = any(pid == first and name in ("docker-init", "tini") for pid, _, name in processes)
        return next((pid for pid, parent, _ in processes if parent == first), first) if is_init else first

    def kill(self, containers):
        """Kills their main processes with -9 at once, and waits until each is back and healthy.

        From a container that sees the engine's processes: that is the same whoever's engine it is. `docker kill` would not do,
        for the engine does not restart what it was told to end.
        """
        processes = [str(self.main_process(each)) for each in containers]
        program = ["--entrypoint", "sh", self.server_image, "-c", f"kill -9 {' '.join(processes)}"]
        self.docker("run", "--rm", "--user=0", "--pid=host", "--network=none", "--security-opt=label=disable", *program)
        started = {each.id: each.state["StartedAt"] for each in containers}
        services = sorted({each.service for each in containers})

        def all_back():
            found = self.containers(*services)
            back = {each.id for each in found if each.is_healthy and each.state["StartedAt"] != started.get(each.id)}
            return started.keys() <= back

        until(f"{', '.join(services)} back after kill -9", all_back, within=90)

    # What they are asked

    def token(self, user=None, role="service"):
        return self.tokens([user], role)[0]

    def tokens(self, users, role="service"):
        """Of each user, or of the role where there is none: by `belfry token` in a gateway."""
        subjects = {user: f"--user {user}" if user else f"--role {role}" for user in users}
        missing = [subject for subject in subjects.values() if subject not in self._tokens]
        if missing:
            commands = " && ".join(f"belfry token {subject}" for subject in missing)
            self._tokens |= zip(missing, self.exec("gateway", "sh", "-c", commands).split(), strict=True)
        return [self._tokens[subjects[user]] for user in users]

    def forget_tokens(self):
        """Those of before do not count any more."""
        self._tokens.clear()

    def ask(self, method, path, token=None, body=None):
        """Asks the gateway, whatever it answers."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.http.request(method, self.api + path, headers=headers, json=body)

    def call(self, method, path, token=None, body=None, headers={}, base=None):
        """Asks the gateway, or who listens at `base`; gives the JSON of its answer, and fails unless that is a 2xx."""
        headers = headers | ({"Authorization": f"Bearer {token}"} if token else {})
        answer = self.http.request(method, (base or self.api) + path, headers=headers, json=body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def depths(self):
        """Messages in each queue, those in hand included."""
        output = self.exec("rabbitmq", "rabbitmqctl", "--quiet", "list_queues", "--formatter", "json", "name", "messages")
        return {queue["name"]: queue["messages"] for queue in json.loads(output)}

    def remove(self):
        """Containers, networks and volumes, without waiting for anybody."""
        if containers := [each.id for each in self.containers()]:
            self.docker("rm", "--force", *containers)
        with self.networks_that_the_engine_keeps():
            self.compose("down", "--volumes", "--remove-orphans", environment=ALL_PROFILES)
        self._tokens.clear()

    @contextlib.contextmanager
    def networks_that_the_engine_keeps(self):
        """Lets the command inside leave a network that the engine does not part with, if no container is in it.

        Docker miscounts now and then what is in a network (moby/moby#42119, open): it "has active endpoints" until the engine starts
        anew. docs/containers.md says so to operators.
        """
        try:
            yield
        except CommandFailed as failure:
            if "has active endpoints" not in str(failure):
                raise
            networks = self.docker("network", "ls", "--quiet", "--filter", f"label=com.docker.compose.project={self.project}").split()
            there = set(self.docker("ps", "--all", "--quiet", "--no-trunc").split())
            kept = json.loads(self.docker("network", "inspect", *networks))
            if any(there & each["Containers"].keys() for each in kept):
                raise
            print(f"\n  kept by the engine, though empty: {', '.join(each['Name'] for each in kept)}", end="", flush=True)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def scratch_folder():
    return tempfile.TemporaryDirectory(prefix="belfry-containers-")
