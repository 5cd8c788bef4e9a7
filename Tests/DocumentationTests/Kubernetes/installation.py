"""What stands in rendered manifests, by what it is for."""

import re

WORKLOADS = ("Deployment", "StatefulSet")
PREFIX = "belfry-"
# The autoscalers' and the most that they may make of a workload.
SCALERS = {
    "HorizontalPodAutoscaler": ("minReplicas", "maxReplicas"),
    "ScaledObject": ("minReplicaCount", "maxReplicaCount"),
}


class Installation:
    def __init__(self, objects):
        self.objects = objects
        # By the name that compose.yaml has for the service.
        self.workloads = {
            one["metadata"]["name"].removeprefix(PREFIX): one for one in objects if one["kind"] in WORKLOADS
        }
        # Templates of pods: the services' and those of Jobs.
        self.pods = {
            one["metadata"]["name"]: one["spec"]["template"] for one in objects if "template" in one.get("spec", {})
        }

    def all(self, *kinds):
        return [one for one in self.objects if one["kind"] in kinds]

    def named(self, kind, name):
        return next((one for one in self.all(kind) if one["metadata"]["name"] == name), None)

    def selected(self, selector):
        """Services whose pods a selector selects."""
        return {name for name, one in self.workloads.items() if matches(selector, one["spec"]["template"]["metadata"])}

    def scaler(self, service):
        """The autoscalers of a service."""
        return [one for one in self.all(*SCALERS) if one["spec"]["scaleTargetRef"]["name"] == PREFIX + service]

    def copies(self, service):
        """How many copies there may be."""
        most = [one["spec"][SCALERS[one["kind"]][1]] for one in self.scaler(service)]
        return most[0] if most else self.workloads[service]["spec"].get("replicas", 1)

    def environment(self, container, pod_name=""):
        """What a container is started with, as the kubelet makes it up; of secrets "secret" and their name."""
        values = {}
        for source in container.get("envFrom", []):
            reference = source.get("configMapRef")
            if reference and (found := self.named("ConfigMap", reference["name"])):
                values |= found["data"]
        own = {}
        for variable in container.get("env", []):
            source = variable.get("valueFrom", {})
            if "secretKeyRef" in source:
                value = f"secret {source['secretKeyRef']['name']} {source['secretKeyRef']['key']}"
            elif "configMapKeyRef" in source:
                found = self.named("ConfigMap", source["configMapKeyRef"]["name"])
                value = (found or {"data": {}})["data"].get(source["configMapKeyRef"]["key"], "")
            elif "fieldRef" in source:
                value = pod_name
            elif "resourceFieldRef" in source:
                value = container["resources"]["limits"]["cpu"]
            else:
                # Only what stands before it in `env` itself is inserted.
                value = re.sub(r"\$\((\w+)\)", lambda name: own.get(name[1], name[0]), variable["value"])
            own[variable["name"]] = value
        return values | own


def service_container(workload):
    return next(one for one in workload["spec"]["template"]["spec"]["containers"] if one["name"] == "service")


def container_ports(workload):
    """Ports by name."""
    return {one["name"]: one["containerPort"] for one in service_container(workload).get("ports", [])}


def matches(selector, metadata):
    labels = metadata.get("labels", {})
    return all(labels.get(key) == value for key, value in selector.get("matchLabels", {}).items()) and all(
        expression["operator"] == "In" and labels.get(expression["key"]) in expression["values"]
        for expression in selector.get("matchExpressions", [])
    )
