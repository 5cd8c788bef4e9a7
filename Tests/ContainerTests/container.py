"""One container, as the engine describes it."""

import json


class Container:
    def __init__(self, description):
        self.description = description
        self.configuration, self.host, self.state = (description[key] for key in ["Config", "HostConfig", "State"])
        labels = self.configuration["Labels"]
        self.id, self.name = description["Id"], description["Name"].lstrip("/")
        self.service = labels["com.docker.compose.service"]
        self.number = int(labels["com.docker.compose.container-number"])
        self.image = self.configuration["Image"]

    def __repr__(self):
        return f"{self.name} ({self.state['Status']}, {self.health}, exit status {self.state['ExitCode']})"

    @property
    def is_ours(self):
        return self.image.split(":")[0].split("/")[-1] in ("belfry", "belfry-dev", "belfry-test")

    @property
    def is_running(self):
        return self.state["Running"] and not self.state["Restarting"]

    @property
    def health(self):
        return self.state.get("Health", {}).get("Status", "no health check")

    @property
    def is_healthy(self):
        return self.is_running and self.health == "healthy"

    @property
    def published(self):
        """Where its ports are published: pairs of address and port."""
        ports = self.description["NetworkSettings"]["Ports"] or {}
        return [(binding["HostIp"], int(binding["HostPort"])) for bindings in ports.values() for binding in bindings or []]

    @property
    def addresses(self):
        """Its address in each network, by the network's name without the project's."""
        networks = self.description["NetworkSettings"]["Networks"]
        return {name.split("_", 1)[-1]: network["IPAddress"] for name, network in networks.items()}

    @property
    def text(self):
        """All that the engine reports of it."""
        return json.dumps(self.description)
