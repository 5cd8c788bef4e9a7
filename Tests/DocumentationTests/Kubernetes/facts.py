"""What compose.yaml, the Dockerfile, docs/configuration.md and the database's configuration say."""

import dataclasses
import re

import yaml

from kustomization import ROOT

CONFIGURATION = ROOT / "docs/configuration.md"


@dataclasses.dataclass
class Setting:
    variable: str
    kind: str
    default: str
    is_required: bool
    is_secret: bool


@dataclasses.dataclass
class Service:
    """A service of compose.yaml that has settings of its own."""

    command: list
    # With their values; those that compose.yaml itself takes from its environment contain a $.
    environment: dict
    health_port: int
    health_path: str
    # In seconds.
    grace: int
    networks: set | None
    settings: dict


@dataclasses.dataclass
class Facts:
    services: dict
    migrate: list
    uid: int
    database_connections: int
    # All variables that docs/configuration.md names.
    documented: set


def settings():
    """Settings by service, by variable."""
    by_service, shared, section = {}, [], None
    for line in CONFIGURATION.read_text().splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
            if section.startswith("belfry-"):
                by_service[section.removeprefix("belfry-")] = {}
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells or not re.fullmatch("`BELFRY_[A-Z_]+`", cells[0]):
            continue
        readers = cells.pop(1) if section == "Shared" else section.removeprefix("belfry-")
        name, kind, default, meaning = cells
        setting = Setting(
            name.strip("`"), kind, default.strip("`"), default == "**required**", "**Secret.**" in meaning
        )
        shared.append((readers, setting))
    for readers, setting in shared:
        for service in by_service if readers == "all" else readers.split(", "):
            by_service[service][setting.variable] = setting
    return by_service


def seconds(text):
    return int(re.fullmatch(r"(\d+)s", str(text)).group(1))


def facts():
    compose = yaml.safe_load((ROOT / "compose/compose.yaml").read_text())["services"]
    services = {}
    for name, known in settings().items():
        service = compose.get(name, {})
        if "/health/" not in str(check := service.get("healthcheck")):
            continue
        port, path = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/.*)", check["test"][-1]).groups()
        services[name] = Service(
            command=service["command"],
            environment={key: str(value) for key, value in service["environment"].items()},
            health_port=int(port),
            health_path=path,
            grace=seconds(service["stop_grace_period"]),
            networks=set(service["networks"]) if "networks" in service else None,
            settings=known,
        )
    dockerfile = (ROOT / "compose/Dockerfile").read_text()
    postgresql = (ROOT / "compose/postgresql/postgresql.conf").read_text()
    return Facts(
        services=services,
        migrate=compose["migrate"]["command"],
        uid=int(re.search(r"useradd .*--uid (\d+)", dockerfile).group(1)),
        database_connections=int(re.search(r"(?m)^max_connections = (\d+)", postgresql).group(1)),
        documented=set(re.findall("BELFRY_[A-Z_]+", CONFIGURATION.read_text())),
    )
